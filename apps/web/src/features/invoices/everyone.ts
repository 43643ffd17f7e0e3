import type { Invoice } from '@lessonbook/contract/invoices';
import { useQueries } from '@tanstack/react-query';
import { isNotFound } from '../../lib/http.ts';
import { sumsText } from '../../lib/sums.ts';
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
export const canBeIssued = (invoice: Pick<Invoice, 'state' | 'lines'>): boolean =>
  invoice.state === 'draft' && invoice.lines.length > 0;

/** 'Issue 6, £840' */
export const issueWords = (ticked: readonly Pick<Invoice, 'currency' | 'total'>[]): string =>
  [
    `Issue ${ticked.length}`,
    sumsText(ticked.map(({ currency, total }) => ({ currency, minor: total }))),
  ]
    .filter(Boolean)
    .join(', ');

/* Ids in the address: '12-13-14'. */
export const idsText = (ids: readonly number[]): string => ids.join('-');
export const readIds = (text: string): number[] => text.split('-').map(Number);
