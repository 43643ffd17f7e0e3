import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport } from '@lessonbook/contract/reports';

export interface Total {
  currency: string;
  received: number;
  refunded: number;
  payments: number;
}
export interface Share {
  studentId: number | null;
  studentName: string | null;
  subjectId: number | null;
  subjectName: string | null;
  currency: string;
  net: number;
}

type Row = EarningsReport['students'][number];

const net = (total: Total): number => total.received - total.refunded;

/** One total per currency, largest first. */
export const toTotals = (
  current: readonly Total[],
  previous: readonly Total[] | null,
): EarningsReport['totals'] =>
  current
    .map((total) => {
      const earlier = previous?.find((other) => other.currency === total.currency);
      return {
        ...total,
        currency: total.currency as Currency,
        net: net(total),
        before: previous === null ? null : earlier ? net(earlier) : 0,
      };
    })
    .toSorted((a, b) => b.net - a.net || a.currency.localeCompare(b.currency));

export const OTHER = 'Other items';
export const UNUSED = 'Not used yet';

/** Sorted by currency, then largest first. Adds a row for unallocated money, so that the rows add up to the total. */
export function toBreakdown(
  shares: readonly Share[],
  totals: readonly Total[],
  by: 'student' | 'subject',
): Row[] {
  const rows = new Map<string, Row>();
  for (const share of shares) {
    const id = by === 'student' ? share.studentId : share.subjectId;
    const name = (by === 'student' ? share.studentName : share.subjectName) ?? OTHER;
    const key = `${share.currency} ${id}`;
    const row = rows.get(key) ?? { id, name, currency: share.currency as Currency, net: 0 };
    rows.set(key, { ...row, net: row.net + share.net });
  }
  for (const total of totals) {
    const used = [...rows.values()].filter((row) => row.currency === total.currency);
    const unused = net(total) - used.reduce((sum, row) => sum + row.net, 0);
    if (unused === 0) continue;
    const currency = total.currency as Currency;
    rows.set(`${currency} unused`, { id: null, name: UNUSED, currency, net: unused });
  }
  return [...rows.values()]
    .filter((row) => row.net !== 0)
    .toSorted(
      (a, b) =>
        a.currency.localeCompare(b.currency) || b.net - a.net || a.name.localeCompare(b.name, 'en'),
    );
}
