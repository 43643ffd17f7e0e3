import type { Invoice } from '@lessonbook/contract/invoices';
import { useQueries } from '@tanstack/react-query';
import { formatTotals } from '../../lib/format.ts';
import { isNotFound } from '../../lib/http.ts';
import { invoiceQuery } from './api.ts';

/** The invoices of these ids, once all are here. One that was deleted meanwhile is simply not among them. */
export function useInvoices(ids: readonly number[]) {
  return useQueries({
    queries: ids.map((id) => invoiceQuery(id)),
    combine: (results) => ({
      invoices: results.flatMap(({ data, error }) => (data && !isNotFound(error) ? [data] : [])),
      isPending: results.some((each) => each.isPending),
      isError: results.some((each) => each.isError && !each.data && !isNotFound(each.error)),
      retry: () =>
        Promise.all(results.filter((each) => each.isError).map((each) => each.refetch())),
    }),
  });
}

/** A draft without lines is nothing to issue. */
export const canIssue = (invoice: Pick<Invoice, 'state' | 'lines'>): boolean =>
  invoice.state === 'draft' && invoice.lines.length > 0;

/** 'Issue 6, £840' */
export const issueLabel = (ticked: readonly Pick<Invoice, 'currency' | 'total'>[]): string =>
  [
    `Issue ${ticked.length}`,
    formatTotals(ticked.map(({ currency, total }) => ({ currency, minor: total }))),
  ]
    .filter(Boolean)
    .join(', ');

/* Ids in the address: '12-13-14'. */
export const formatIds = (ids: readonly number[]): string => ids.join('-');
export const parseIds = (text: string): number[] => text.split('-').map(Number);
