import {
  bulkMessages,
  type CustomMessageRecipientsInput,
} from '@lessonbook/contract/bulk-messages';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type Channel, type LogFilter, messages } from '@lessonbook/contract/messages';
import { notArrived } from '@lessonbook/contract/student-not-arrived-messages';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
} from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/* Queries. All share a key prefix, because messages move from the outbox to the log. */

/** What is waiting for the tutor: drafts, and messages that could not be sent. */
export const outboxQuery = queryOptions({
  queryKey: ['/api/messages', 'outbox'],
  queryFn: () => callApi(messages.outbox),
});

export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/messages', 'message', id],
    queryFn: () => callApi(messages.message, { params: { id } }),
  });

const PAGE_SIZE = 30;

export interface MessageLogFilter {
  familyId?: number | undefined;
  show?: LogFilter | undefined;
  search?: string | undefined;
  days?: number | undefined;
  limit?: number;
}

export const messagesQuery = ({ limit = PAGE_SIZE, ...filter }: MessageLogFilter) =>
  infiniteQueryOptions({
    queryKey: ['/api/messages', 'log', filter, limit],
    queryFn: ({ pageParam }) =>
      callApi(messages.listMessages, { query: { ...filter, limit, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < limit ? undefined : all.length * limit),
    // The rows stay while another filter loads.
    placeholderData: keepPreviousData,
  });

/* Outbox */

export function useMarkMessageOpened() {
  return useMutation({
    mutationFn: (id: number) => callApi(messages.markMessageOpened, { params: { id } }),
    meta: {
      errorFallback:
        "We couldn't save that you opened WhatsApp. You can still mark the message as sent.",
    },
  });
}

export function useSetMessageOutcome() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof messages.setMessageOutcome>) =>
      callApi(messages.setMessageOutcome, input),
    meta: { errorFallback: "That couldn't be saved. Please try again." },
    onSuccess: ({ state }) => {
      if (state === 'sent') toastSuccess('Marked as sent');
      if (state === 'dismissed') toastSuccess('Message dismissed');
    },
  });
}

type RetryRequest = EndpointInput<typeof messages.retryMessage> & { idempotencyKey: string };

export function useRetryMessage() {
  return useMutation({
    mutationFn: (input: RetryRequest) => callApi(messages.retryMessage, input),
    meta: { errorFallback: "We couldn't send it. Please try again." },
    onSuccess: () => toastSuccess('Sending again'),
  });
}

type SendDraftRequest = EndpointInput<typeof bulkMessages.sendDraft> & { idempotencyKey: string };

export function useSendDraft() {
  return useMutation({
    mutationFn: (input: SendDraftRequest) => callApi(bulkMessages.sendDraft, input),
    meta: { errorFallback: "The email couldn't be sent. Please try again." },
    onSuccess: () => toastSuccess('Email on its way'),
  });
}

/** The reminders that the family has stopped. The family can stop or resume reminders at any time. */
export const familyRemindersQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/messages', 'family-reminders', id],
    queryFn: () => callApi(emailPreferences.familyReminders, { params: { id } }),
    staleTime: 0,
  });

/* Sending manually: preview, then send */

/** The amounts in the text may have changed since the form was last opened. */
const UNCACHED = { staleTime: 0, gcTime: 0 } as const;

export const paymentReminderPreviewQuery = (familyId: number, channel: Channel) =>
  queryOptions({
    queryKey: ['reminder-preview', familyId, channel],
    queryFn: () => callApi(messages.previewReminder, { body: { familyId, channel } }),
    ...UNCACHED,
  });

export const invoicePreviewQuery = (id: number, channel: Channel) =>
  queryOptions({
    queryKey: ['invoice-message-preview', id, channel],
    queryFn: () => callApi(messages.previewInvoiceMessage, { params: { id }, body: { channel } }),
    ...UNCACHED,
  });

export const receiptPreviewQuery = (id: number, channel: Channel) =>
  queryOptions({
    queryKey: ['receipt-preview', id, channel],
    queryFn: () => callApi(messages.previewReceipt, { params: { id }, body: { channel } }),
    ...UNCACHED,
  });

type SendPaymentReminderRequest = EndpointInput<typeof messages.sendReminder> & {
  idempotencyKey: string;
};

export function useSendPaymentReminder() {
  return useMutation({
    mutationFn: (input: SendPaymentReminderRequest) => callApi(messages.sendReminder, input),
    meta: { errorFallback: "We couldn't send the reminder. Please try again." },
  });
}

type SendInvoiceRequest = EndpointInput<typeof messages.sendInvoice> & { idempotencyKey: string };

export function useSendInvoice() {
  return useMutation({
    mutationFn: (input: SendInvoiceRequest) => callApi(messages.sendInvoice, input),
    meta: { errorFallback: "We couldn't send the invoice. Please try again." },
  });
}

type SendReceiptRequest = EndpointInput<typeof messages.sendReceipt> & { idempotencyKey: string };

export function useSendReceipt() {
  return useMutation({
    mutationFn: (input: SendReceiptRequest) => callApi(messages.sendReceipt, input),
    meta: { errorFallback: "We couldn't send the receipt. Please try again." },
  });
}

/* Notices of changed lessons */

/** Sessions with changes that have not been sent to the family: one session, or all upcoming ones. */
export const pendingNoticesQuery = (sessionId?: number) =>
  queryOptions({
    queryKey: ['/api/messages', 'pending-notices', sessionId ?? 'all'],
    queryFn: () => callApi(messages.pendingNotices, { query: { sessionId } }),
  });

type ChangeNoticeRequest = EndpointInput<typeof messages.sendChangeNotice> & {
  idempotencyKey: string;
};

export const changeNoticePreviewQuery = (requestId: number, body: ChangeNoticeRequest['body']) =>
  queryOptions({
    queryKey: ['change-notice-preview', requestId, body],
    queryFn: () => callApi(messages.previewChangeNotice, { body }),
    ...UNCACHED,
  });

export function useSendChangeNotice() {
  return useMutation({
    mutationFn: (input: ChangeNoticeRequest) => callApi(messages.sendChangeNotice, input),
    meta: { errorFallback: "The message couldn't be sent. Please try again." },
  });
}

/* Students who haven't arrived */

export const notArrivedQuery = (sessionId: number) =>
  queryOptions({
    queryKey: ['not-arrived', sessionId],
    queryFn: () => callApi(notArrived.previewNotArrived, { params: { id: sessionId } }),
    ...UNCACHED,
  });

type NotArrivedRequest = EndpointInput<typeof notArrived.sendNotArrived> & {
  idempotencyKey: string;
};

export function useSendNotArrived() {
  return useMutation({
    mutationFn: (input: NotArrivedRequest) => callApi(notArrived.sendNotArrived, input),
    meta: { errorFallback: "The message couldn't be sent. Please try again." },
  });
}

/* Messages to several families */

export const messageRecipientsQuery = (body: CustomMessageRecipientsInput) =>
  queryOptions({
    queryKey: ['/api/messages', 'recipients', body],
    queryFn: () => callApi(bulkMessages.previewCustomMessage, { body }),
    placeholderData: keepPreviousData,
  });

export const familiesWithLessonQuery = (date: string) =>
  queryOptions({
    queryKey: ['/api/messages', 'families-with-lesson', date],
    queryFn: () => callApi(bulkMessages.familiesWithLesson, { query: { date } }),
  });

export const overdueRemindersQuery = queryOptions({
  queryKey: ['/api/messages', 'overdue-reminders'],
  queryFn: () => callApi(bulkMessages.overdueReminders),
  // Whether a reminder is recent depends on the time.
  staleTime: 0,
});

type SendCustomMessageRequest = EndpointInput<typeof bulkMessages.sendCustomMessage> & {
  idempotencyKey: string;
};

export function useSendCustomMessage() {
  return useMutation({
    mutationFn: (input: SendCustomMessageRequest) => callApi(bulkMessages.sendCustomMessage, input),
    meta: { errorFallback: "The message couldn't be sent. Please try again." },
  });
}
