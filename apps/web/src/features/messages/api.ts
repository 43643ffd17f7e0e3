import { emailPreferences } from '@lessonbook/contract/email-preferences';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type Channel, messages } from '@lessonbook/contract/messages';
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/* Queries. The outbox and the log share a key prefix, because messages move from one to the other. */

export const outboxQuery = queryOptions({
  queryKey: ['/api/messages', 'outbox'],
  queryFn: () => call(messages.outbox),
});

const PAGE_SIZE = 30;

export const messagesQuery = (familyId?: number, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ['/api/messages', 'log', familyId ?? 'all', limit],
    queryFn: ({ pageParam }) =>
      call(messages.listMessages, { query: { familyId, limit, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < limit ? undefined : all.length * limit),
  });

/* Outbox */

export function useMarkMessageOpened() {
  return useMutation({
    mutationFn: (id: number) => call(messages.markMessageOpened, { params: { id } }),
    meta: { errorFallback: 'Failed to note that it was opened.' },
  });
}

export function useSetMessageOutcome() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof messages.setMessageOutcome>) =>
      call(messages.setMessageOutcome, input),
    meta: { errorFallback: 'Failed to save that. Please try again.' },
    onSuccess: ({ state }) => {
      if (state === 'sent') toastSuccess('Marked as sent');
      if (state === 'dismissed') toastSuccess('Message dismissed');
    },
  });
}

type RetryRequest = EndpointInput<typeof messages.retryMessage> & { idempotencyKey: string };

export function useRetryMessage() {
  return useMutation({
    mutationFn: (input: RetryRequest) => call(messages.retryMessage, input),
    meta: { errorFallback: 'Failed to send it again. Please try again.' },
    onSuccess: () => toastSuccess('On its way again'),
  });
}

/** The reminders that the family has stopped; they may change them at any time. */
export const familyRemindersQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/messages', 'family-reminders', id],
    queryFn: () => call(emailPreferences.familyReminders, { params: { id } }),
    staleTime: 0,
  });

/* Sending manually: preview, then send */

/** The amounts in the text may have changed since the form was last opened. */
const UNCACHED = { staleTime: 0, gcTime: 0 } as const;

export const paymentReminderPreviewQuery = (familyId: number, channel: Channel) =>
  queryOptions({
    queryKey: ['reminder-preview', familyId, channel],
    queryFn: () => call(messages.previewReminder, { body: { familyId, channel } }),
    ...UNCACHED,
  });

export const invoicePreviewQuery = (id: number, channel: Channel) =>
  queryOptions({
    queryKey: ['invoice-message-preview', id, channel],
    queryFn: () => call(messages.previewInvoiceMessage, { params: { id }, body: { channel } }),
    ...UNCACHED,
  });

export const receiptPreviewQuery = (id: number, channel: Channel) =>
  queryOptions({
    queryKey: ['receipt-preview', id, channel],
    queryFn: () => call(messages.previewReceipt, { params: { id }, body: { channel } }),
    ...UNCACHED,
  });

type SendPaymentReminderRequest = EndpointInput<typeof messages.sendReminder> & {
  idempotencyKey: string;
};

export function useSendPaymentReminder() {
  return useMutation({
    mutationFn: (input: SendPaymentReminderRequest) => call(messages.sendReminder, input),
    meta: { errorFallback: 'Failed to send the reminder. Please try again.' },
  });
}

type SendInvoiceRequest = EndpointInput<typeof messages.sendInvoice> & { idempotencyKey: string };

/** `isErrorShownInline` disables the error toast where each row shows its own result. */
export function useSendInvoice({ isErrorShownInline = false } = {}) {
  return useMutation({
    mutationFn: (input: SendInvoiceRequest) => call(messages.sendInvoice, input),
    meta: {
      errorFallback: 'Failed to send the invoice. Please try again.',
      isErrorShownInline: () => isErrorShownInline,
    },
  });
}

type SendReceiptRequest = EndpointInput<typeof messages.sendReceipt> & { idempotencyKey: string };

export function useSendReceipt() {
  return useMutation({
    mutationFn: (input: SendReceiptRequest) => call(messages.sendReceipt, input),
    meta: { errorFallback: 'Failed to send the receipt. Please try again.' },
  });
}

/* Notices of changed lessons */

/** Sessions with changes that have not been sent to the family: one session, or all upcoming ones. */
export const pendingNoticesQuery = (sessionId?: number) =>
  queryOptions({
    queryKey: ['/api/messages', 'pending-notices', sessionId ?? 'all'],
    queryFn: () => call(messages.pendingNotices, { query: { sessionId } }),
  });

type ChangeNoticeRequest = EndpointInput<typeof messages.sendChangeNotice> & {
  idempotencyKey: string;
};

export const changeNoticePreviewQuery = (requestId: number, body: ChangeNoticeRequest['body']) =>
  queryOptions({
    queryKey: ['change-notice-preview', requestId, body],
    queryFn: () => call(messages.previewChangeNotice, { body }),
    ...UNCACHED,
  });

export function useSendChangeNotice() {
  return useMutation({
    mutationFn: (input: ChangeNoticeRequest) => call(messages.sendChangeNotice, input),
    meta: { errorFallback: "The message couldn't be sent. Please try again." },
  });
}
