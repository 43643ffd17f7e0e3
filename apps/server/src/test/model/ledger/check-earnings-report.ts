import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { difference } from '../schedule/compare-with-server.ts';
import { STUDENT_NAMES, SUBJECT_NAMES } from './ledger-fixture.ts';
import { getCharge, getPayment, type ModelPayment, unallocatedOf } from './ledger-model.ts';
import type { LedgerState } from './ledger-state.ts';

/* Compares the all-time earnings report, which shows payments less refunds. */

type AmountsByKey = Record<string, number>;

const add = (sums: AmountsByKey, key: string, amount: number): void => {
  sums[key] = (sums[key] ?? 0) + amount;
};
const withoutZeros = (sums: AmountsByKey): AmountsByKey =>
  Object.fromEntries(
    Object.entries(sums)
      .filter(([, amount]) => amount !== 0)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );

/** Opening balances were received before the ledger started, so neither they nor their refunds are earnings. */
const paymentsInReport = (state: LedgerState): ModelPayment[] =>
  state.ledger.payments.filter((payment) => !payment.opening && !payment.reversed);

function expectedShares(state: LedgerState, by: 'student' | 'subject'): AmountsByKey {
  const names = by === 'student' ? STUDENT_NAMES : SUBJECT_NAMES;
  const sums: AmountsByKey = {};
  for (const { payment: n, charge: chargeNumber, amount } of state.ledger.allocations) {
    const payment = getPayment(state.ledger, n);
    if (payment.opening) continue;
    const index = getCharge(state.ledger, chargeNumber)[by];
    const name = index === null ? 'Other items' : names[index - 1];
    add(sums, `${name} ${payment.currency}`, amount);
  }
  for (const payment of paymentsInReport(state)) {
    add(sums, `Not used yet ${payment.currency}`, unallocatedOf(state.ledger, payment));
  }
  return withoutZeros(sums);
}

function expectedMonths(state: LedgerState): AmountsByKey {
  const sums: AmountsByKey = {};
  for (const { paidOn, currency, amount } of paymentsInReport(state)) {
    add(sums, `${paidOn.slice(0, 7)} ${currency}`, amount);
  }
  return withoutZeros(sums);
}

function expectedTotals(state: LedgerState): Record<string, unknown> {
  const totals: Record<string, { received: number; refunded: number; payments: number }> = {};
  for (const { currency, amount, kind } of paymentsInReport(state)) {
    const total = (totals[currency] ??= { received: 0, refunded: 0, payments: 0 });
    if (kind === 'refund') total.refunded -= amount;
    else Object.assign(total, { received: total.received + amount, payments: total.payments + 1 });
  }
  return Object.fromEntries(
    Object.entries(totals).map(([currency, total]) => [
      currency,
      { ...total, net: total.received - total.refunded, previousNet: null },
    ]),
  );
}

function expectedWriteOffs({ ledger }: LedgerState): AmountsByKey {
  const sums: AmountsByKey = {};
  for (const { kind, charge, amount } of ledger.reductions) {
    if (kind === 'write-off') add(sums, getCharge(ledger, charge).currency, amount);
  }
  return withoutZeros(sums);
}

interface Share {
  currency: Currency;
  net: number;
}

function sumShares<T extends Share>(
  shares: readonly T[],
  name: (share: T) => string,
): AmountsByKey {
  const sums: AmountsByKey = {};
  for (const share of shares) add(sums, `${name(share)} ${share.currency}`, share.net);
  return withoutZeros(sums);
}

export function reportDifference(state: LedgerState, report: EarningsReport): string | null {
  const totals = report.totals.map(({ currency, ...total }) => [currency, total] as const);
  const labelOf = ({ id, name }: { id: number | null; name: string }) =>
    (id === null) === ['Not used yet', 'Other items'].includes(name) ? name : `${name} (${id})`;
  return (
    difference(expectedTotals(state), Object.fromEntries(totals), 'totals') ??
    difference(
      expectedMonths(state),
      sumShares(report.months, ({ month }) => month),
      'months',
    ) ??
    difference(expectedShares(state, 'student'), sumShares(report.students, labelOf), 'students') ??
    difference(expectedShares(state, 'subject'), sumShares(report.subjects, labelOf), 'subjects') ??
    difference(
      expectedWriteOffs(state),
      Object.fromEntries(report.writtenOff.map(({ currency, amount }) => [currency, amount])),
      'written off',
    )
  );
}
