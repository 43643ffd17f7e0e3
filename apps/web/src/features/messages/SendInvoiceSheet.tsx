import type { Channel, Message } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { invoicePreviewQuery, useSendInvoice } from './api.ts';
import { useByHand } from './by-hand.ts';
import { MessageForm } from './MessageForm.tsx';
import { WaitingDraft } from './WaitingDraft.tsx';

interface Props {
  id: number;
  opened: boolean;
  onClose: () => void;
}

export function SendInvoiceSheet({ id, opened, onClose }: Props) {
  return (
    <BottomSheet title="Send invoice" opened={opened} onClose={onClose}>
      <SendForm id={id} onClose={onClose} />
    </BottomSheet>
  );
}

/** With its link; a mail brings the paper along. */
function SendForm({ id, onClose }: Omit<Props, 'opened'>) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(invoicePreviewQuery(id, channel));
  const { mutateAsync, isPending } = useSendInvoice();
  const send = useByHand(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onClose();
  });

  if (draft) return <WaitingDraft message={draft} onDone={onClose} />;
  return (
    <MessageForm
      channel={channel}
      onChannel={setChannel}
      preview={preview}
      submit="Send invoice"
      isBusy={isPending}
      onSend={(words) => void send(channel, { params: { id }, body: { channel, ...words } })}
      onCancel={onClose}
    />
  );
}
