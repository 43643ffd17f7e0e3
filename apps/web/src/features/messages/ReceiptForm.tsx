import type { Channel, Message } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { receiptPreviewQuery, useSendReceipt } from './api.ts';
import { useByHand } from './by-hand.ts';
import { MessageForm } from './MessageForm.tsx';
import { WaitingDraft } from './WaitingDraft.tsx';

interface Props {
  paymentId: number;
  onBack: () => void;
  onDone: () => void;
}

/** What arrived, what it covered and what remains, in words the tutor has read. */
export function ReceiptForm({ paymentId: id, onBack, onDone }: Props) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(receiptPreviewQuery(id, channel));
  const { mutateAsync, isPending } = useSendReceipt();
  const send = useByHand(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onDone();
  });

  if (draft) return <WaitingDraft message={draft} onDone={onDone} />;
  return (
    <MessageForm
      channel={channel}
      onChannel={setChannel}
      preview={preview}
      submit="Send receipt"
      isBusy={isPending}
      onSend={(words) => void send(channel, { params: { id }, body: { channel, ...words } })}
      onCancel={onBack}
      cancel="Back"
    />
  );
}
