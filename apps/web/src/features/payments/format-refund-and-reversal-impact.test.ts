import { expect, test } from 'vitest';
import { paymentDetails } from '../../test/family-and-payment-fixtures.ts';
import {
  formatRefundImpact,
  formatRefundReversalImpact,
  formatReversalImpact,
} from './format-refund-and-reversal-impact.ts';

const balanceWith = (owed: number, credit: number) => ({ currency: 'GBP' as const, owed, credit });

test('describes a reversal with its amount, the unpaid lessons and the new balance', () => {
  const payment = paymentDetails({ credit: 500, balance: balanceWith(0, 500) });
  expect(formatReversalImpact(payment)).toEqual([
    '£70 will be removed from payments received.',
    '2 lessons will become unpaid.',
    'Ruth Hale will owe £65.',
  ]);
});

test('describes a reversal after which other credit covers the lessons', () => {
  const payment = paymentDetails({ credit: 0, balance: balanceWith(0, 10_000) });
  expect(formatReversalImpact(payment)).toEqual([
    '£70 will be removed from payments received.',
    '2 lessons will no longer be paid by this payment. £100 of other credit will go towards the oldest.',
    'Ruth Hale will be £30 in credit.',
  ]);
});

test('describes the reversal of an unused payment', () => {
  const payment = paymentDetails({ allocations: [], credit: 7000, balance: balanceWith(0, 7000) });
  expect(formatReversalImpact(payment)).toEqual([
    '£70 will be removed from payments received.',
    'Ruth Hale will owe nothing.',
  ]);
});

test('takes a refund from credit first, then from lessons', () => {
  const payment = paymentDetails({ credit: 500, balance: balanceWith(0, 500) });
  expect(formatRefundImpact(payment, 500)).toEqual(['Ruth Hale will owe nothing.']);
  expect(formatRefundImpact(payment, 2000)).toEqual([
    'Lessons worth £15 will become unpaid.',
    'Ruth Hale will owe £15.',
  ]);
});

test('describes the reversal of a refund', () => {
  const payment = paymentDetails({ balance: balanceWith(2000, 0) });
  expect(formatRefundReversalImpact(payment, 2000)).toEqual([
    '£20 will no longer count as refunded.',
    'Ruth Hale will owe nothing.',
  ]);
});
