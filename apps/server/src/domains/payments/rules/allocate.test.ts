import { describe, expect, test } from 'vitest';
import { allocate, prioritizeCharges, releaseAmount } from './allocate.ts';

const charge = (id: number, outstanding: number) => ({ id, outstanding });
const payment = (id: number, unallocated: number) => ({ id, unallocated });

describe('allocate', () => {
  test('pays the oldest charge first and leaves the rest of a part-paid charge open', () => {
    expect(allocate([payment(1, 5000)], [charge(7, 3500), charge(8, 3500)])).toEqual([
      { paymentId: 1, chargeId: 7, amount: 3500 },
      { paymentId: 1, chargeId: 8, amount: 1500 },
    ]);
  });

  test('uses the oldest payment first, and several payments for one charge if needed', () => {
    expect(allocate([payment(1, 1000), payment(2, 9000)], [charge(7, 3500)])).toEqual([
      { paymentId: 1, chargeId: 7, amount: 1000 },
      { paymentId: 2, chargeId: 7, amount: 2500 },
    ]);
  });

  test('never allocates more than the payment or the charge', () => {
    expect(allocate([payment(1, 100)], [charge(7, 30)])).toEqual([
      { paymentId: 1, chargeId: 7, amount: 30 },
    ]);
    expect(allocate([], [charge(7, 30)])).toEqual([]);
    expect(allocate([payment(1, 100)], [])).toEqual([]);
  });

  test('prioritizeCharges puts preferred charges first, ordered by due date', () => {
    expect(
      prioritizeCharges([charge(7, 1), charge(8, 1), charge(9, 1)], [9, 8]).map(({ id }) => id),
    ).toEqual([8, 9, 7]);
  });
});

describe('releaseAmount', () => {
  const allocations = [
    { paymentId: 1, chargeId: 7, amount: 3500 },
    { paymentId: 1, chargeId: 8, amount: 1500 },
  ];
  test('releases the latest allocation first', () => {
    expect(releaseAmount(allocations, 2000)).toEqual([
      { paymentId: 1, chargeId: 8, amount: -1500 },
      { paymentId: 1, chargeId: 7, amount: -500 },
    ]);
  });
  test('releases nothing for an amount of zero', () => {
    expect(releaseAmount(allocations, 0)).toEqual([]);
  });
});
