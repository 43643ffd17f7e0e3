import { invoiceDrafts } from '@lessonbook/contract/delete-and-restore-invoice-drafts';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { invoices } from '@lessonbook/contract/invoices';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { pluralize } from '../../lib/format.ts';
import { callApi } from '../../lib/http.ts';
import { markDeleted } from '../../lib/query-client.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';

/** The family's public page. No login is needed. */
export const publicInvoiceUrl = (token: string): string =>
  new URL(`/invoices/${token}`, window.location.origin).href;

export const invoicePdfUrl = (id: number): string => `/api/invoices/${id}.pdf`;

/* Queries */

type InvoicesQuery = Omit<
  NonNullable<EndpointInput<typeof invoices.listInvoices>['query']>,
  'limit' | 'offset'
>;

const PAGE_SIZE = 50;

export const invoicesQuery = (query: InvoicesQuery, limit = PAGE_SIZE) =>
  infiniteQueryOptions({
    queryKey: ['/api/invoices', 'list', query, limit],
    queryFn: ({ pageParam }) =>
      callApi(invoices.listInvoices, { query: { ...query, limit, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < limit ? undefined : all.length * limit),
  });

export const invoiceSummaryQuery = (
  query: NonNullable<EndpointInput<typeof invoices.invoiceSummary>['query']>,
) =>
  queryOptions({
    queryKey: ['/api/invoices', 'summary', query],
    queryFn: () => callApi(invoices.invoiceSummary, { query }),
  });

export const invoiceQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/invoices', id],
    queryFn: () => callApi(invoices.invoice, { params: { id } }),
  });

export const addableLinesQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/invoices', id, 'choices'],
    queryFn: () => callApi(invoices.availableInvoiceLines, { params: { id } }),
    // A lesson may have been completed since the modal was last opened.
    staleTime: 0,
  });

/* Drafts */

type DraftInvoiceRequest = EndpointInput<typeof invoices.draftInvoice> & { idempotencyKey: string };

export const draftInvoice = (input: DraftInvoiceRequest) => callApi(invoices.draftInvoice, input);

export function useDraftInvoice() {
  return useMutation({
    mutationFn: draftInvoice,
    meta: { errorFallback: "We couldn't draft the invoice. Please try again." },
  });
}

type DraftAllInvoicesRequest = EndpointInput<typeof invoices.draftAllInvoices> & {
  idempotencyKey: string;
};

export function useDraftAllInvoices() {
  return useMutation({
    mutationFn: (input: DraftAllInvoicesRequest) => callApi(invoices.draftAllInvoices, input),
    meta: { errorFallback: "We couldn't draft the invoices. Please try again." },
  });
}

export function useUpdateInvoiceDraft(id: number) {
  const client = useQueryClient();
  return useMutation({
    // Serialised: each save contains the whole draft, so the last change must arrive last.
    scope: { id: `invoice-${id}` },
    mutationFn: (body: EndpointInput<typeof invoices.updateInvoiceDraft>['body']) =>
      callApi(invoices.updateInvoiceDraft, { params: { id }, body }),
    meta: { errorFallback: "We couldn't save the draft. Please try again." },
    onSuccess: (invoice) => client.setQueryData(invoiceQuery(id).queryKey, invoice),
  });
}

type RestoreDraftsRequest = EndpointInput<typeof invoiceDrafts.restoreInvoiceDrafts> & {
  idempotencyKey: string;
};

/** Deletes drafts and offers Undo. */
export function useDeleteInvoiceDrafts() {
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: (input: RestoreDraftsRequest) => callApi(invoiceDrafts.restoreInvoiceDrafts, input),
    meta: { errorFallback: "The drafts couldn't be restored. Please try again." },
    onSuccess: (restored) => toastSuccess(`${pluralize(restored.length, 'draft')} restored`),
  });
  return useMutation({
    mutationFn: (ids: number[]) => callApi(invoiceDrafts.deleteInvoiceDrafts, { body: { ids } }),
    meta: { errorFallback: "The drafts couldn't be deleted. Please try again." },
    onSuccess: ({ drafts }, ids) => {
      for (const id of ids) markDeleted(client, invoiceQuery(id).queryKey);
      const idempotencyKey = crypto.randomUUID();
      const title = ids.length === 1 ? 'Draft deleted' : `${ids.length} drafts deleted`;
      toastUndo(title, () => restore.mutate({ body: { drafts }, idempotencyKey }));
    },
  });
}

/* Issued invoices */

export function useReplaceInvoiceLink() {
  return useMutation({
    mutationFn: (id: number) => callApi(invoices.replaceInvoiceLink, { params: { id } }),
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
    mutationFn: (input: IssueInvoicesRequest) => callApi(invoices.issueInvoices, input),
    meta: { errorFallback: "We couldn't issue the invoice. Please try again." },
    onSuccess: () => toastSuccess('Invoice issued'),
  });
}

type VoidInvoiceRequest = EndpointInput<typeof invoices.voidInvoice> & { idempotencyKey: string };

export function useVoidInvoice() {
  return useMutation({
    mutationFn: (input: VoidInvoiceRequest) => callApi(invoices.voidInvoice, input),
    meta: { errorFallback: "We couldn't void the invoice. Please try again." },
    onSuccess: () => toastSuccess('Invoice voided'),
  });
}

type CreditInvoiceRequest = EndpointInput<typeof invoices.creditInvoice> & {
  idempotencyKey: string;
};

export function useCreditInvoice() {
  return useMutation({
    mutationFn: (input: CreditInvoiceRequest) => callApi(invoices.creditInvoice, input),
    meta: { errorFallback: "We couldn't create the credit note. Please try again." },
    onSuccess: () => toastSuccess('Credit note issued'),
  });
}
