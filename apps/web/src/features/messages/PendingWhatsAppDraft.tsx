import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { outboxQuery } from './api.ts';
import classes from './MessageForm.module.css';
import { InvalidNumberWarning, WhatsAppDraftActions } from './WhatsAppDraftActions.tsx';

interface Props {
  /** The message as it was created. */
  message: Message;
  onDone: () => void;
}

/** Shown after creating a WhatsApp draft. After 'Later', the draft stays in Messages and is counted there. */
export function PendingWhatsAppDraft({ message, onDone }: Props) {
  const { data: outbox } = useQuery(outboxQuery);
  const current = outbox ? outbox.find(({ id }) => id === message.id) : message;
  return (
    <div className={classes.waiting} role="status">
      {current ? (
        <>
          <p>
            {current.state === 'opened'
              ? `The message to ${current.toName} is open in WhatsApp.`
              : `The message to ${current.toName} is ready to send in WhatsApp. It's also in Messages.`}
          </p>
          <InvalidNumberWarning message={current} />
          <WhatsAppDraftActions message={current} />
        </>
      ) : (
        <p>The message to {message.toName} is no longer waiting to be sent.</p>
      )}
      <Button variant="subtle" onClick={onDone}>
        {current ? 'Later' : 'Done'}
      </Button>
    </div>
  );
}
