import type { Channel, Message } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import {
  invoicePreviewQuery,
  paymentReminderPreviewQuery,
  receiptPreviewQuery,
  useSendInvoice,
  useSendPaymentReminder,
  useSendReceipt,
} from './api.ts';
import { PendingWhatsAppDraft } from './PendingWhatsAppDraft.tsx';
import { PreparedMessageForm } from './PreparedMessageForm.tsx';
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

/** The message contains the link; an email also has the PDF attached. */
function SendInvoiceForm({ id, onClose }: Omit<SendInvoiceModalProps, 'opened'>) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(invoicePreviewQuery(id, channel));
  const { mutateAsync, isPending } = useSendInvoice();
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onClose();
  });

  if (draft) return <PendingWhatsAppDraft message={draft} onDone={onClose} />;
  return (
    <PreparedMessageForm
      channel={channel}
      onChannelChange={setChannel}
      preview={preview}
      submitLabel="Send invoice"
      isBusy={isPending}
      draftKey={`invoice ${id}`}
      onSend={(text) => send(channel, { params: { id }, body: { channel, ...text } })}
      onCancel={onClose}
    />
  );
}

interface ReceiptFormProps {
  paymentId: number;
  onBack: () => void;
  onDone: () => void;
}

/** Sends a receipt: the amount, what it covered and what remains. */
export function ReceiptForm({ paymentId: id, onBack, onDone }: ReceiptFormProps) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(receiptPreviewQuery(id, channel));
  const { mutateAsync, isPending } = useSendReceipt();
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onDone();
  });

  if (draft) return <PendingWhatsAppDraft message={draft} onDone={onDone} />;
  return (
    <PreparedMessageForm
      channel={channel}
      onChannelChange={setChannel}
      preview={preview}
      submitLabel="Send receipt"
      isBusy={isPending}
      draftKey={`receipt ${id}`}
      onSend={(text) => send(channel, { params: { id }, body: { channel, ...text } })}
      onCancel={onBack}
      cancelLabel="Back"
    />
  );
}

interface PaymentReminderModalProps {
  familyId: number;
  opened: boolean;
  onClose: () => void;
}

export function PaymentReminderModal({ familyId, opened, onClose }: PaymentReminderModalProps) {
  return (
    <ResponsiveModal title="Send reminder" opened={opened} onClose={onClose}>
      <PaymentReminderForm familyId={familyId} onSent={onClose} onCancel={onClose} />
    </ResponsiveModal>
  );
}

interface Props {
  familyId: number;
  onSent?: () => void;
  onCancel?: () => void;
}

/** Sends a payment reminder for the outstanding amount. */
export function PaymentReminderForm({ familyId, onSent, onCancel }: Props) {
  const [channel, setChannel] = useState<Channel>('email');
  const [draft, setDraft] = useState<Message | null>(null);
  const preview = useQuery(paymentReminderPreviewQuery(familyId, channel));
  const { mutateAsync, isPending } = useSendPaymentReminder();
  const send = useSendMessage(mutateAsync, (message) => {
    if (message?.channel === 'whatsapp') setDraft(message);
    else onSent?.();
  });

  if (draft) {
    return (
      <PendingWhatsAppDraft
        message={draft}
        onDone={() => {
          setDraft(null);
          onSent?.();
        }}
      />
    );
  }
  return (
    <PreparedMessageForm
      channel={channel}
      onChannelChange={setChannel}
      preview={preview}
      submitLabel="Send reminder"
      isBusy={isPending}
      draftKey={`family ${familyId}`}
      onSend={(text) => send(channel, { body: { familyId, channel, ...text } })}
      {...(onCancel && { onCancel })}
    />
  );
}
