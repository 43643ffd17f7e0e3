import type { Channel, Message } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reminderPreviewQuery, useSendReminder } from './api.ts';
import { useByHand } from './by-hand.ts';
import { MessageForm } from './MessageForm.tsx';
import { WaitingDraft } from './WaitingDraft.tsx';

interface Props {
  familyId: number;
  onSent?: () => void;
  onCancel?: () => void;
}

/** Asks a payer for what is open, in words the tutor has read. */
export function ReminderForm({ familyId, onSent, onCancel }: Props) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(reminderPreviewQuery(familyId, channel));
  const { mutateAsync, isPending } = useSendReminder();
  const send = useByHand(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onSent?.();
  });

  if (draft) {
    return (
      <WaitingDraft
        message={draft}
        onDone={() => {
          setDraft(null);
          onSent?.();
        }}
      />
    );
  }
  return (
    <MessageForm
      channel={channel}
      onChannel={setChannel}
      preview={preview}
      submit="Send Reminder"
      isBusy={isPending}
      onSend={(words) => void send(channel, { body: { familyId, channel, ...words } })}
      {...(onCancel && { onCancel })}
    />
  );
}
