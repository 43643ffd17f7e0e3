import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type InvoiceState, invoices } from '@lessonbook/contract/invoices';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { markDeleted } from '../../lib/query.ts';
import { toastSuccess } from '../../lib/toast.ts';

/** The family's public page. No login is needed. */
export const publicInvoiceUrl = (token: string): string =>
  new URL(`/invoices/${token}`, window.location.origin).href;

export const invoicePdfUrl = (id: number): string => `/api/invoices/${id}.pdf`;

/* Queries */

export interface InvoiceFilter {
  state?: InvoiceState | 'open' | undefined;
  familyId?: number | undefined;
  /** Page size. */
  limit: number;
}

export const INVOICES_PAGE_SIZE = 50;

export const invoicesQuery = ({ limit, ...filter }: InvoiceFilter) =>
  infiniteQueryOptions({
    queryKey: ['/api/invoices', 'list', filter, limit],
    queryFn: ({ pageParam }) =>
      call(invoices.listInvoices, { query: { ...filter, limit, offset: pageParam } }),
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
    // A lesson may have been completed since the modal was last opened.
    staleTime: 0,
  });

/* Drafts */

type DraftInvoiceRequest = EndpointInput<typeof invoices.draftInvoice> & { idempotencyKey: string };

export function useDraftInvoice() {
  return useMutation({
    mutationFn: (input: DraftInvoiceRequest) => call(invoices.draftInvoice, input),
    meta: { errorFallback: 'Failed to draft the invoice. Please try again.' },
  });
}

type DraftAllInvoicesRequest = EndpointInput<typeof invoices.draftAllInvoices> & {
  idempotencyKey: string;
};

export function useDraftAllInvoices() {
  return useMutation({
    mutationFn: (input: DraftAllInvoicesRequest) => call(invoices.draftAllInvoices, input),
    meta: { errorFallback: 'Failed to draft the invoices. Please try again.' },
  });
}

export function useUpdateInvoiceDraft(id: number) {
  const client = useQueryClient();
  return useMutation({
    // Serialised: each save contains the whole draft, so the last change must arrive last.
    scope: { id: `invoice-${id}` },
    mutationFn: (body: EndpointInput<typeof invoices.updateInvoiceDraft>['body']) =>
      call(invoices.updateInvoiceDraft, { params: { id }, body }),
    meta: { errorFallback: 'Failed to change the draft. Please try again.' },
    onSuccess: (invoice) => client.setQueryData(invoiceQuery(id).queryKey, invoice),
  });
}

export function useDeleteInvoiceDraft() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(invoices.deleteInvoice, { params: { id } }),
    meta: { errorFallback: 'Failed to delete the draft. Please try again.' },
    onSuccess: (_, id) => {
      markDeleted(client, invoiceQuery(id).queryKey);
      toastSuccess('Draft deleted');
    },
  });
}

/* Issued invoices */

export function useReplaceInvoiceLink() {
  return useMutation({
    mutationFn: (id: number) => call(invoices.replaceInvoiceLink, { params: { id } }),
    meta: { errorFallback: "The link couldn't be replaced. Please try again." },
    onSuccess: () => {
      toastSuccess('Link replaced', 'The old one no longer works.');
    },
  });
}

type IssueInvoicesRequest = EndpointInput<typeof invoices.issueInvoices> & {
  idempotencyKey: string;
};

export function useIssueInvoices() {
  return useMutation({
    mutationFn: (input: IssueInvoicesRequest) => call(invoices.issueInvoices, input),
    meta: { errorFallback: 'Failed to issue. Please try again.' },
    onSuccess: (issued) =>
      toastSuccess(issued.length === 1 ? 'Invoice issued' : `${issued.length} invoices issued`),
  });
}

type VoidInvoiceRequest = EndpointInput<typeof invoices.voidInvoice> & { idempotencyKey: string };

export function useVoidInvoice() {
  return useMutation({
    mutationFn: (input: VoidInvoiceRequest) => call(invoices.voidInvoice, input),
    meta: { errorFallback: 'Failed to void the invoice. Please try again.' },
    onSuccess: () => toastSuccess('Invoice voided'),
  });
}

type CreditInvoiceRequest = EndpointInput<typeof invoices.creditInvoice> & {
  idempotencyKey: string;
};

export function useCreditInvoice() {
  return useMutation({
    mutationFn: (input: CreditInvoiceRequest) => call(invoices.creditInvoice, input),
    meta: { errorFallback: 'Failed to make the credit note. Please try again.' },
    onSuccess: () => toastSuccess('Credit note issued'),
  });
}
