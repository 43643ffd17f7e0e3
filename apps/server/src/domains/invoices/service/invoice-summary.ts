import type {
  InvoiceStateFilter,
  InvoiceSummary,
} from '@lessonbook/contract/invoice-list-filters-and-totals';
import type { Currency } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import {
  type CategorySum,
  type InvoiceFilter,
  sumInvoices,
  sumUninvoicedCharges,
} from '../queries/invoice-list.ts';
import { getToday, toFilter, type WithSearch } from './list-invoices.ts';

export async function readInvoiceSummary(
  context: Context,
  tutorId: string,
  { state, ...query }: WithSearch<InvoiceFilter> & { state?: InvoiceStateFilter | undefined },
): Promise<InvoiceSummary> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = await getToday(context, tx, tutorId);
    const [sums, uninvoiced] = await executeBatch(tx, [
      sumInvoices(tx, tutorId, toFilter(query), today),
      sumUninvoicedCharges(tx, tutorId),
    ]);
    const count = (category?: CategorySum['category']) =>
      sums
        .filter((sum) => category === undefined || sum.category === category)
        .reduce((total, sum) => total + sum.count, 0);
    return {
      counts: {
        all: count(),
        draft: count('draft'),
        sent: count('sent'),
        overdue: count('overdue'),
        paid: count('paid'),
      },
      totals: toTotals(sums.filter(({ category }) => state === undefined || category === state)),
      uninvoiced: {
        lessons: uninvoiced.reduce((total, { lessons }) => total + lessons, 0),
        families: new Set(uninvoiced.flatMap(({ familyIds }) => familyIds)).size,
        totals: uninvoiced.map(({ currency, amount }) => ({
          currency: currency as Currency,
          amount,
        })),
      },
    };
  });
}

const SIGN_IN_TOTAL: Record<CategorySum['category'], 1 | 0 | -1> = {
  draft: 1,
  sent: 1,
  overdue: 1,
  paid: 1,
  written_off: 1,
  credit_note: -1,
  void: 0,
};

const toTotals = (sums: readonly CategorySum[]): InvoiceSummary['totals'] =>
  [...new Set(sums.map(({ currency }) => currency))].toSorted().map((currency) => {
    const sumsInCurrency = sums.filter((sum) => sum.currency === currency);
    const add = (value: (sum: CategorySum) => number) =>
      sumsInCurrency.reduce((total, sum) => total + value(sum), 0);
    return {
      currency: currency as Currency,
      total: add(({ category, total }) => SIGN_IN_TOTAL[category] * total),
      due: add(({ due }) => due),
      overdue: add(({ category, due }) => (category === 'overdue' ? due : 0)),
    };
  });
