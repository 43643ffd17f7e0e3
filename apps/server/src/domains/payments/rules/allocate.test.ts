import { describe, expect, test } from 'vitest';
import { allocate, prioritizeCharges, releaseAmount } from './allocate.ts';

const charge = (id: number, outstanding: number) => ({ id, outstanding });
const open = (id: number, outstanding: number, overrides: Partial<Open> = {}): Open => ({
  id,
  outstanding,
  heldByPlan: 0,
  isQueried: false,
  ...overrides,
});
interface Open {
  id: number;
  outstanding: number;
  heldByPlan: number;
  isQueried: boolean;
}
const order = (charges: readonly Open[], preferredIds: readonly number[]): string[] =>
  prioritizeCharges(charges, preferredIds).map(({ id, outstanding }) => `${id}: ${outstanding}`);
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
    expect(order([open(7, 1), open(8, 1), open(9, 1)], [9, 8])).toEqual(['8: 1', '9: 1', '7: 1']);
  });

  test('prioritizeCharges puts future instalments after what the payer is asked to pay, and queried charges last', () => {
    const charges = [
      open(5, 40, { isQueried: true }),
      open(6, 50, { heldByPlan: 30 }),
      open(7, 60, { heldByPlan: 60 }),
      open(8, 70),
    ];
    expect(order(charges, [])).toEqual(['6: 20', '8: 70', '6: 30', '7: 60', '5: 40']);
    expect(order(charges, [7, 8])).toEqual(['8: 70', '7: 60', '6: 20', '6: 30', '5: 40']);
    const parts = prioritizeCharges(charges, []);
    expect(allocate([payment(1, 100), payment(2, 25)], parts)).toEqual([
      { paymentId: 1, chargeId: 6, amount: 20 },
      { paymentId: 1, chargeId: 8, amount: 70 },
      { paymentId: 1, chargeId: 6, amount: 10 },
      { paymentId: 2, chargeId: 6, amount: 20 },
      { paymentId: 2, chargeId: 7, amount: 5 },
    ]);
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
