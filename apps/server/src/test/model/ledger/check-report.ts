import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { difference } from '../schedule/system-adapter.ts';
import { NAMES, SUBJECTS } from './ledger-fixture.ts';
import { chargeOf, type MPayment, paymentOf, unallocatedOf } from './ledger-model.ts';
import type { LedgerState } from './ledger-state.ts';

/* Compares the all-time earnings report, which shows payments less refunds. */

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

/** Opening balances were received before the ledger started, so neither they nor their refunds are earnings. */
const earned = (state: LedgerState): MPayment[] =>
  state.ledger.payments.filter((payment) => !payment.opening && !payment.reversed);

function expectedShares(state: LedgerState, by: 'student' | 'subject'): Sums {
  const names = by === 'student' ? NAMES : SUBJECTS;
  const sums: Sums = {};
  for (const { payment: n, charge: at, amount } of state.ledger.allocations) {
    const payment = paymentOf(state.ledger, n);
    if (payment.opening) continue;
    const index = chargeOf(state.ledger, at)[by];
    const name = index === null ? 'Other items' : names[index - 1];
    add(sums, `${name} ${payment.currency}`, amount);
  }
  for (const payment of earned(state)) {
    add(sums, `Not used yet ${payment.currency}`, unallocatedOf(state.ledger, payment));
  }
  return withoutZeros(sums);
}

function expectedMonths(state: LedgerState): Sums {
  const sums: Sums = {};
  for (const { paidOn, currency, amount } of earned(state)) {
    add(sums, `${paidOn.slice(0, 7)} ${currency}`, amount);
  }
  return withoutZeros(sums);
}

function expectedTotals(state: LedgerState): Record<string, unknown> {
  const totals: Record<string, { received: number; refunded: number; payments: number }> = {};
  for (const { currency, amount, kind } of earned(state)) {
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

export function reportDifference(state: LedgerState, report: EarningsReport): string | null {
  const totals = report.totals.map(({ currency, ...total }) => [currency, total] as const);
  const label = ({ id, name }: { id: number | null; name: string }) =>
    (id === null) === ['Not used yet', 'Other items'].includes(name) ? name : `${name} (${id})`;
  return (
    difference(expectedTotals(state), Object.fromEntries(totals), 'totals') ??
    difference(
      expectedMonths(state),
      readShares(report.months, ({ month }) => month),
      'months',
    ) ??
    difference(expectedShares(state, 'student'), readShares(report.students, label), 'students') ??
    difference(expectedShares(state, 'subject'), readShares(report.subjects, label), 'subjects')
  );
}
