import type {
  InvoiceSortKey,
  InvoiceStateFilter,
} from '@lessonbook/contract/invoice-list-filters-and-totals';
import { type Period, periodRange } from '@lessonbook/contract/report-periods';
import { formatIds } from './ids-in-url.ts';

export type InvoicePeriodFilter = Extract<Period, 'this_month' | 'this_tax_year' | 'last_tax_year'>;

/** The search parameters of the list. A missing parameter has its default value. */
export interface InvoicesSearch {
  /** Only the invoices of this payer. */
  family?: number | undefined;
  state?: InvoiceStateFilter | undefined;
  q?: string | undefined;
  period?: InvoicePeriodFilter | undefined;
  sort?: InvoiceSortKey | undefined;
  direction?: 'asc' | 'desc' | undefined;
  /** Ids of the selected rows, such as '12-13'. */
  selected?: string | undefined;
}

export const DEFAULT_SORT = { by: 'issued', direction: 'desc' } as const;

/** The filter that the list and its totals send to the server. */
export function toInvoiceFilter({ family, state, q, period }: InvoicesSearch, today: string) {
  const { from, to } = periodRange(period ?? 'all_time', today);
  return {
    ...(family !== undefined && { familyId: family }),
    ...(state && { state }),
    ...(q && { search: q }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

export const toInvoiceSort = ({ sort, direction }: InvoicesSearch) => ({
  sort: sort ?? DEFAULT_SORT.by,
  direction: direction ?? DEFAULT_SORT.direction,
});

/** The URL of the CSV file with the same invoices, or with the selected ones. */
export function invoicesCsvUrl(
  search: InvoicesSearch,
  today: string,
  ids?: readonly number[],
): string {
  const filter = ids ? { ids: formatIds(ids) } : toInvoiceFilter(search, today);
  const params = Object.entries({ ...filter, ...toInvoiceSort(search) });
  return `/api/invoices/list.csv?${new URLSearchParams(params.map(([name, value]) => [name, String(value)]))}`;
}
