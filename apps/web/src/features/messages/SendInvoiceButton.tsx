import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { messagesQuery } from './api.ts';
import { MessageStatus } from './MessageStatus.tsx';
import classes from './SendInvoiceButton.module.css';
import { CHANNEL_LABELS } from './shared/channel-labels.ts';

/** The latest message sent for an invoice, even if delivery failed. */
const findLatestAttempt = (log: readonly Message[], invoiceId: number): Message | undefined =>
  log.find((message) => message.invoiceId === invoiceId && isSendAttempt(message.state));

/** Whether sending was attempted, even without success. A draft in the outbox does not count. */
const isSendAttempt = (state: Message['state']): boolean =>
  state === 'sent' ||
  state === 'delivered' ||
  state === 'read' ||
  state === 'waiting' ||
  state === 'failed';

const SendInvoiceModal = lazy(async () => ({
  default: (await import('./SendInvoiceReceiptAndReminderForms.tsx')).SendInvoiceModal,
}));

interface Props {
  invoice: { id: number; familyId: number };
  /** Opens the modal on mount, straight after issuing. */
  initiallyOpened: boolean;
  dateContext: DateContext;
}

/** The send button, with the latest message and the modal. */
export function SendInvoiceButton({
  invoice: { id, familyId },
  initiallyOpened,
  dateContext,
}: Props) {
  const [opened, setOpened] = useState(initiallyOpened);
  const log = useInfiniteQuery(messagesQuery({ familyId, limit: 100 }));
  const last = findLatestAttempt(log.data?.pages.flat() ?? [], id);
  return (
    <div className={classes.send}>
      <Button leftSection={<IconSend size={18} stroke={1.8} />} onClick={() => setOpened(true)}>
        {last ? 'Send again' : 'Send'}
      </Button>
      {last && (
        <p>
          <MessageStatus message={last} />{' '}
          {formatTimestamp(last.sentAt ?? last.createdAt, dateContext)},{' '}
          {CHANNEL_LABELS[last.channel]} to {last.toName}
        </p>
      )}
      <LazyMount opened={opened}>
        <SendInvoiceModal id={id} opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </div>
  );
}
