import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport } from '@lessonbook/contract/reports';
import type { LedgerBook } from './ledger-book.ts';
import { chargeOf, freeOf, type MPayment, paymentOf } from './ledger-model.ts';
import { NAMES, SUBJECTS } from './ledger-tutor.ts';
import { difference } from './server-book.ts';

/* What the earnings report says of all time: money received, less money given back. */

type Sums = Record<string, number>;

const add = (sums: Sums, key: string, amount: number): void => {
  sums[key] = (sums[key] ?? 0) + amount;
};
const withoutZeros = (sums: Sums): Sums =>
  Object.fromEntries(
    Object.entries(sums)
      .filter(([, amount]) => amount !== 0)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );

/** An opening balance was received before the book began: it and what is given back of it are no earnings. */
const earned = (book: LedgerBook): MPayment[] =>
  book.ledger.payments.filter((payment) => !payment.opening && !payment.reversed);

function expectedShares(book: LedgerBook, by: 'student' | 'subject'): Sums {
  const names = by === 'student' ? NAMES : SUBJECTS;
  const sums: Sums = {};
  for (const { payment: n, charge: at, amount } of book.ledger.standings) {
    const payment = paymentOf(book.ledger, n);
    if (payment.opening) continue;
    const whose = chargeOf(book.ledger, at)[by];
    const name = whose === null ? 'Other items' : names[whose - 1];
    add(sums, `${name} ${payment.currency}`, amount);
  }
  for (const payment of earned(book)) {
    add(sums, `Not used yet ${payment.currency}`, freeOf(book.ledger, payment));
  }
  return withoutZeros(sums);
}

function expectedMonths(book: LedgerBook): Sums {
  const sums: Sums = {};
  for (const { paidOn, currency, amount } of earned(book)) {
    add(sums, `${paidOn.slice(0, 7)} ${currency}`, amount);
  }
  return withoutZeros(sums);
}

function expectedTotals(book: LedgerBook): Record<string, unknown> {
  const totals: Record<string, { received: number; refunded: number; payments: number }> = {};
  for (const { currency, amount, kind } of earned(book)) {
    const total = (totals[currency] ??= { received: 0, refunded: 0, payments: 0 });
    if (kind === 'refund') total.refunded -= amount;
    else Object.assign(total, { received: total.received + amount, payments: total.payments + 1 });
  }
  return Object.fromEntries(
    Object.entries(totals).map(([currency, total]) => [
      currency,
      { ...total, net: total.received - total.refunded, before: null },
    ]),
  );
}

interface Share {
  currency: Currency;
  net: number;
}

function readShares<T extends Share>(shares: readonly T[], name: (share: T) => string): Sums {
  const sums: Sums = {};
  for (const share of shares) add(sums, `${name(share)} ${share.currency}`, share.net);
  return withoutZeros(sums);
}

export function reportDifference(book: LedgerBook, report: EarningsReport): string | null {
  const totals = report.totals.map(({ currency, ...total }) => [currency, total] as const);
  const named = ({ id, name }: { id: number | null; name: string }) =>
    (id === null) === ['Not used yet', 'Other items'].includes(name) ? name : `${name} (${id})`;
  return (
    difference(expectedTotals(book), Object.fromEntries(totals), 'totals') ??
    difference(
      expectedMonths(book),
      readShares(report.months, ({ month }) => month),
      'months',
    ) ??
    difference(expectedShares(book, 'student'), readShares(report.students, named), 'students') ??
    difference(expectedShares(book, 'subject'), readShares(report.subjects, named), 'subjects')
  );
}
