import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type InvoiceState, invoices } from '@lessonbook/contract/invoices';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { toastDone } from '../../lib/toast.ts';

/** The address that a family opens: nobody needs to be signed in there. */
export const publicInvoiceUrl = (token: string): string =>
  new URL(`/invoices/${token}`, window.location.origin).href;

export const invoicePdfUrl = (id: number): string => `/api/invoices/${id}.pdf`;

/* Reading. Lists and single ones share the first word of their keys, so that one word makes them all old. */

export interface InvoiceFilter {
  state?: InvoiceState | 'open' | undefined;
  familyId?: number | undefined;
  /** How many come at a time. */
  limit: number;
}

/** As many as one reads at once. */
export const INVOICES_PAGE_SIZE = 50;

export const invoicesQuery = ({ limit, ...which }: InvoiceFilter) =>
  infiniteQueryOptions({
    queryKey: ['/api/invoices', 'list', which, limit],
    queryFn: ({ pageParam }) =>
      call(invoices.listInvoices, { query: { ...which, limit, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < limit ? undefined : all.length * limit),
  });

export const invoiceQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/invoices', id],
    queryFn: () => call(invoices.invoice, { params: { id } }),
  });

export const addableLinesQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/invoices', id, 'choices'],
    queryFn: () => call(invoices.availableInvoiceLines, { params: { id } }),
    // A lesson may have been ticked off since the sheet was last open.
    staleTime: 0,
  });

/** An invoice concerns the account of its family, its lessons and whatever counts what is owed. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [
        '/api/invoices',
        '/api/families',
        '/api/balances',
        '/api/payments',
        '/api/sessions',
        '/api/lessons',
        '/api/dashboard',
      ].map((key) => client.invalidateQueries({ queryKey: [key] })),
    );
}

/** Drafts touch nobody's account. */
function useRefreshDrafts() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['/api/invoices'] });
}

/* Drafts. `attempt` names one try: a new one after each change of what is sent. */

type DraftInvoice = EndpointInput<typeof invoices.draftInvoice> & { idempotencyKey: string };

export function useDraftInvoice() {
  const refresh = useRefreshDrafts();
  return useMutation({
    mutationFn: (input: DraftInvoice) => call(invoices.draftInvoice, input),
    meta: { errorFallback: 'Failed to draft the invoice. Please try again.' },
    onSuccess: refresh,
  });
}

type DraftAllInvoices = EndpointInput<typeof invoices.draftAllInvoices> & {
  idempotencyKey: string;
};

export function useDraftAllInvoices() {
  const refresh = useRefreshDrafts();
  return useMutation({
    mutationFn: (input: DraftAllInvoices) => call(invoices.draftAllInvoices, input),
    meta: { errorFallback: 'Failed to draft the invoices. Please try again.' },
    onSuccess: refresh,
  });
}

export function useChangeInvoice(id: number) {
  const client = useQueryClient();
  return useMutation({
    // One after the other: each save carries the whole draft, so the last change must arrive last.
    scope: { id: `invoice-${id}` },
    mutationFn: (body: EndpointInput<typeof invoices.updateInvoiceDraft>['body']) =>
      call(invoices.updateInvoiceDraft, { params: { id }, body }),
    meta: { errorFallback: 'Failed to change the draft. Please try again.' },
    onSuccess: async (invoice) => {
      client.setQueryData(invoiceQuery(id).queryKey, invoice);
      await client.invalidateQueries({ queryKey: ['/api/invoices', 'list'] });
    },
  });
}

export function useDeleteInvoice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(invoices.deleteInvoice, { params: { id } }),
    meta: { errorFallback: 'Failed to delete the draft. Please try again.' },
    onSuccess: async (_answer, id) => {
      // Old, but not asked for again: the page that shows it is about to be left.
      void client.invalidateQueries({ queryKey: invoiceQuery(id).queryKey, refetchType: 'none' });
      await client.invalidateQueries({ queryKey: ['/api/invoices', 'list'] });
      toastDone('Draft deleted');
    },
  });
}

/* What has a number */

type IssueInvoices = EndpointInput<typeof invoices.issueInvoices> & { idempotencyKey: string };

export function useIssueInvoices() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: IssueInvoices) => call(invoices.issueInvoices, input),
    meta: { errorFallback: 'Failed to issue. Please try again.' },
    onSuccess: async (issued) => {
      await refresh();
      toastDone(issued.length === 1 ? 'Invoice issued' : `${issued.length} invoices issued`);
    },
  });
}

type VoidInvoice = EndpointInput<typeof invoices.voidInvoice> & { idempotencyKey: string };

export function useVoidInvoice() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: VoidInvoice) => call(invoices.voidInvoice, input),
    meta: { errorFallback: 'Failed to void the invoice. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastDone('Invoice voided');
    },
  });
}

type CreditInvoice = EndpointInput<typeof invoices.creditInvoice> & { idempotencyKey: string };

export function useCreditInvoice() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (input: CreditInvoice) => call(invoices.creditInvoice, input),
    meta: { errorFallback: 'Failed to make the credit note. Please try again.' },
    onSuccess: async () => {
      await refresh();
      toastDone('Credit note issued');
    },
  });
}
