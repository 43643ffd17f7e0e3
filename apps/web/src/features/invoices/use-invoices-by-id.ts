import type { Invoice } from '@lessonbook/contract/invoices';
import { useQueries } from '@tanstack/react-query';
import { formatTotals } from '../../lib/format.ts';
import { isNotFound } from '../../lib/http.ts';
import { invoiceQuery } from './api.ts';

/** Loads all the given invoices; deleted ones are omitted. */
export function useInvoicesById(ids: readonly number[]) {
  return useQueries({
    queries: ids.map((id) => invoiceQuery(id)),
    combine: (results) => ({
      invoices: results.flatMap(({ data, error }) => (data && !isNotFound(error) ? [data] : [])),
      isPending: results.some((result) => result.isPending),
      isError: results.some(
        (result) => result.isError && !result.data && !isNotFound(result.error),
      ),
      retry: () =>
        Promise.all(results.filter((result) => result.isError).map((result) => result.refetch())),
    }),
  });
}

/** A draft without lines cannot be issued. */
export const canIssue = (invoice: Pick<Invoice, 'state' | 'lines'>): boolean =>
  invoice.state === 'draft' && invoice.lines.length > 0;

/** 'Issue 6, £840' */
export const formatIssueLabel = (drafts: readonly Pick<Invoice, 'currency' | 'total'>[]): string =>
  [
    `Issue ${drafts.length}`,
    formatTotals(drafts.map(({ currency, total }) => ({ currency, minor: total }))),
  ]
    .filter(Boolean)
    .join(', ');

/* Ids in the URL, such as '12-13-14'. */
export const formatIds = (ids: readonly number[]): string => ids.join('-');
export const parseIds = (text: string): number[] => text.split('-').map(Number);
