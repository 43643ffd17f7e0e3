import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type Channel, messages } from '@lessonbook/contract/messages';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';

/* Reading. Tray and log share the first word of their keys: whatever leaves the one shows in the other. */

export const outboxQuery = queryOptions({
  queryKey: ['/api/messages', 'tray'],
  queryFn: () => call(messages.outbox),
});

/** As much of the log as one reads at once. */
const PAGE_SIZE = 30;

export const messagesQuery = (familyId?: number, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ['/api/messages', 'log', familyId ?? 'all', limit],
    queryFn: ({ pageParam }) =>
      call(messages.listMessages, { query: { familyId, limit, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < limit ? undefined : all.length * limit),
  });

function useRefresh() {
  const client = useQueryClient();
  return async () => {
    const all = { queryKey: ['/api/messages'] };
    // A first load that is under way would be taken for the answer, though it began before the change.
    await client.cancelQueries(all);
    await client.invalidateQueries(all);
  };
}

/* The tray. Two devices may hold it open, so each answer, also a refusal, shows it as it is. */

export function useOpenMessage() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: number) => call(messages.markMessageOpened, { params: { id } }),
    meta: { errorFallback: 'Failed to note that it was opened.' },
    onSettled: () => refresh(),
  });
}

export function useResolveDraft() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: EndpointInput<typeof messages.setMessageOutcome>) =>
      call(messages.setMessageOutcome, input),
    meta: { errorFallback: 'Failed to save that. Please try again.' },
    onSuccess: ({ state }) => {
      if (state === 'sent') toastDone('Marked as sent');
      if (state === 'dismissed') toastDone('Message dismissed');
    },
    onSettled: () => refresh(),
  });
}

type Retry = EndpointInput<typeof messages.retryMessage> & { idempotencyKey: string };

export function useRetryMessage() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: Retry) => call(messages.retryMessage, input),
    meta: { errorFallback: 'Failed to send it again. Please try again.' },
    onSuccess: () => toastDone('On its way again'),
    onSettled: () => refresh(),
  });
}

/* By hand: the words first, then the sending. `attempt` names one try, so that a double click writes once. */

/** What is owed, and so what is said about it, may have changed since the form was last open. */
const UNCACHED = { staleTime: 0, gcTime: 0 } as const;

export const reminderPreviewQuery = (familyId: number, channel: Channel) =>
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

type SendReminder = EndpointInput<typeof messages.sendReminder> & { idempotencyKey: string };

export function useSendReminder() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: SendReminder) => call(messages.sendReminder, input),
    meta: { errorFallback: 'Failed to send the reminder. Please try again.' },
    onSuccess: () => refresh(),
  });
}

type SendInvoice = EndpointInput<typeof messages.sendInvoice> & { idempotencyKey: string };

/** Where many go at once, each row says itself what became of it. */
export function useSendInvoice({ isShownInPlace = false } = {}) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: SendInvoice) => call(messages.sendInvoice, input),
    meta: {
      errorFallback: 'Failed to send the invoice. Please try again.',
      errorShownInPlace: () => isShownInPlace,
    },
    onSuccess: () => refresh(),
  });
}

type SendReceipt = EndpointInput<typeof messages.sendReceipt> & { idempotencyKey: string };

export function useSendReceipt() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: SendReceipt) => call(messages.sendReceipt, input),
    meta: { errorFallback: 'Failed to send the receipt. Please try again.' },
    onSuccess: () => refresh(),
  });
}

/* After lessons were cancelled or moved */

type NotifyInput = EndpointInput<typeof messages.sendChangeNotice> & { idempotencyKey: string };

export const notifyPreviewQuery = (body: NotifyInput['body']) =>
  queryOptions({
    queryKey: ['tell-preview', body],
    queryFn: () => call(messages.previewChangeNotice, { body }),
    ...UNCACHED,
  });

export function useNotifyFamilies() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: NotifyInput) => call(messages.sendChangeNotice, input),
    meta: { errorFallback: 'Failed to tell them. Please try again.' },
    onSuccess: () => refresh(),
  });
}
