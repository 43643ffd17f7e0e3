import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trayQuery } from './api.ts';
import { BadNumber } from './BadNumber.tsx';
import { DraftActions } from './DraftActions.tsx';
import classes from './MessageForm.module.css';

interface Props {
  /** As it was when it came into the tray. */
  message: Message;
  onDone: () => void;
}

/** Where a WhatsApp message was written, the same question as in the tray: was it sent? */
export function WaitingDraft({ message, onDone }: Props) {
  const { data: tray } = useQuery(trayQuery);
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
          <BadNumber message={now} />
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
