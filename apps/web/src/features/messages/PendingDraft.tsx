import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { outboxQuery } from './api.ts';
import { DraftActions, InvalidNumber } from './DraftActions.tsx';
import classes from './MessageForm.module.css';

interface Props {
  /** As it was when it came into the tray. */
  message: Message;
  onDone: () => void;
}

/** Where a WhatsApp message was written, the same question as in the tray: was it sent? */
export function PendingDraft({ message, onDone }: Props) {
  const { data: tray } = useQuery(outboxQuery);
  const now = tray ? tray.find(({ id }) => id === message.id) : message;
  return (
    <div className={classes.waiting} role="status">
      {now ? (
        <>
          <p>
            {now.state === 'opened'
              ? `The message to ${now.toName} is open in WhatsApp.`
              : `The message to ${now.toName} waits to be opened in WhatsApp. You find it under Messages, too.`}
          </p>
          <InvalidNumber message={now} />
          <DraftActions message={now} />
        </>
      ) : (
        <p>{message.toName} has the message.</p>
      )}
      <Button variant="subtle" onClick={onDone}>
        {now ? 'Later' : 'Done'}
      </Button>
    </div>
  );
}
