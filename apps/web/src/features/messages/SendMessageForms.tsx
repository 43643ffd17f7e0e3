import type { Channel, Message } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import {
  invoicePreviewQuery,
  receiptPreviewQuery,
  reminderPreviewQuery,
  useSendInvoice,
  useSendReceipt,
  useSendReminder,
} from './api.ts';
import { MessageForm } from './MessageForm.tsx';
import { PendingDraft } from './PendingDraft.tsx';
import { useSendMessage } from './use-send-message.ts';

interface SendInvoiceModalProps {
  id: number;
  opened: boolean;
  onClose: () => void;
}

export function SendInvoiceModal({ id, opened, onClose }: SendInvoiceModalProps) {
  return (
    <ResponsiveModal title="Send invoice" opened={opened} onClose={onClose}>
      <SendInvoiceForm id={id} onClose={onClose} />
    </ResponsiveModal>
  );
}

/** With its link; a mail brings the paper along. */
function SendInvoiceForm({ id, onClose }: Omit<SendInvoiceModalProps, 'opened'>) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(invoicePreviewQuery(id, channel));
  const { mutateAsync, isPending } = useSendInvoice();
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onClose();
  });

  if (draft) return <PendingDraft message={draft} onDone={onClose} />;
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

interface ReceiptFormProps {
  paymentId: number;
  onBack: () => void;
  onDone: () => void;
}

/** What arrived, what it covered and what remains, in words the tutor has read. */
export function ReceiptForm({ paymentId: id, onBack, onDone }: ReceiptFormProps) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(receiptPreviewQuery(id, channel));
  const { mutateAsync, isPending } = useSendReceipt();
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onDone();
  });

  if (draft) return <PendingDraft message={draft} onDone={onDone} />;
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

interface ReminderModalProps {
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

export function ReminderModal({ familyId, opened, onClose }: ReminderModalProps) {
  return (
    <ResponsiveModal title="Send reminder" opened={opened} onClose={onClose}>
      <ReminderForm familyId={familyId} onSent={onClose} onCancel={onClose} />
    </ResponsiveModal>
  );
}

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
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onSent?.();
  });

  if (draft) {
    return (
      <PendingDraft
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
