import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport } from '@lessonbook/contract/reports';

export interface CurrencyTotal {
  currency: string;
  received: number;
  refunded: number;
  payments: number;
}
export interface StudentSubjectNet {
  studentId: number | null;
  studentName: string | null;
  subjectId: number | null;
  subjectName: string | null;
  currency: string;
  net: number;
}

type Row = EarningsReport['students'][number];

const netAmount = (total: CurrencyTotal): number => total.received - total.refunded;

/** One total per currency, largest first. */
export const toTotals = (
  current: readonly CurrencyTotal[],
  previous: readonly CurrencyTotal[] | null,
): EarningsReport['totals'] =>
  current
    .map((total) => {
      const earlier = previous?.find((other) => other.currency === total.currency);
      return {
        ...total,
        currency: total.currency as Currency,
        net: netAmount(total),
        previousNet: previous === null ? null : earlier ? netAmount(earlier) : 0,
      };
    })
    .toSorted((a, b) => b.net - a.net || a.currency.localeCompare(b.currency));

export const OTHER_LABEL = 'Other items';
export const UNALLOCATED_LABEL = 'Not used yet';

/** Sorted by currency, then largest first. Adds a row for unallocated money, so that the rows add up to the total. */
export function toBreakdown(
  entries: readonly StudentSubjectNet[],
  totals: readonly CurrencyTotal[],
  by: 'student' | 'subject',
): Row[] {
  const rows = new Map<string, Row>();
  for (const entry of entries) {
    const id = by === 'student' ? entry.studentId : entry.subjectId;
    const name = (by === 'student' ? entry.studentName : entry.subjectName) ?? OTHER_LABEL;
    const key = `${entry.currency} ${id}`;
    const row = rows.get(key) ?? { id, name, currency: entry.currency as Currency, net: 0 };
    rows.set(key, { ...row, net: row.net + entry.net });
  }
  for (const total of totals) {
    const allocated = [...rows.values()].filter((row) => row.currency === total.currency);
    const unallocated = netAmount(total) - allocated.reduce((sum, row) => sum + row.net, 0);
    if (unallocated === 0) continue;
    const currency = total.currency as Currency;
    rows.set(`${currency} unallocated`, {
      id: null,
      name: UNALLOCATED_LABEL,
      currency,
      net: unallocated,
    });
  }
  return [...rows.values()]
    .filter((row) => row.net !== 0)
    .toSorted(
      (a, b) =>
        a.currency.localeCompare(b.currency) || b.net - a.net || a.name.localeCompare(b.name, 'en'),
    );
}
