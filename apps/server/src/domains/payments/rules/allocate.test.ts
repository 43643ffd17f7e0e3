import { describe, expect, test } from 'vitest';
import { allocate, prioritizeCharges, release } from './allocate.ts';

const open = (id: number, outstanding: number) => ({ id, outstanding });
const free = (id: number, unallocated: number) => ({ id, unallocated });

describe('allocating', () => {
  test('pays the oldest due first and leaves the rest of a part payment due', () => {
    expect(allocate([free(1, 5000)], [open(7, 3500), open(8, 3500)])).toEqual([
      { paymentId: 1, chargeId: 7, amount: 3500 },
      { paymentId: 1, chargeId: 8, amount: 1500 },
    ]);
  });

  test('uses the oldest money first, several payments for one charge', () => {
    expect(allocate([free(1, 1000), free(2, 9000)], [open(7, 3500)])).toEqual([
      { paymentId: 1, chargeId: 7, amount: 1000 },
      { paymentId: 2, chargeId: 7, amount: 2500 },
    ]);
  });

  test('never gives more than there is, nor more than is owed', () => {
    expect(allocate([free(1, 100)], [open(7, 30)])).toEqual([
      { paymentId: 1, chargeId: 7, amount: 30 },
    ]);
    expect(allocate([], [open(7, 30)])).toEqual([]);
    expect(allocate([free(1, 100)], [])).toEqual([]);
  });

  test('named charges come first, in the order they are due', () => {
    expect(
      prioritizeCharges([open(7, 1), open(8, 1), open(9, 1)], [9, 8]).map((one) => one.id),
    ).toEqual([8, 9, 7]);
  });
});

describe('releasing', () => {
  const made = [
    { paymentId: 1, chargeId: 7, amount: 3500 },
    { paymentId: 1, chargeId: 8, amount: 1500 },
  ];
  test('takes from the latest first', () => {
    expect(release(made, 2000)).toEqual([
      { paymentId: 1, chargeId: 8, amount: -1500 },
      { paymentId: 1, chargeId: 7, amount: -500 },
    ]);
  });
  test('takes nothing when nothing is wanted', () => {
    expect(release(made, 0)).toEqual([]);
  });
});
