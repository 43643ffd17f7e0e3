import type { OpenCharge } from '@lessonbook/contract/payments';
import { describe, expect, test } from 'vitest';
import { openCharge } from '../../test/family-and-payment-fixtures.ts';
import { allocate } from './allocation.ts';

const maya = openCharge({ id: 1, date: '2026-11-03', outstanding: 3500 });
const leo = openCharge({ id: 2, date: '2026-11-05', outstanding: 3500 });
const noah = openCharge({ id: 3, date: '2026-11-10', outstanding: 2050 });
const charges: OpenCharge[] = [maya, leo, noah];

const allocateAmount = (amount: number, preselectedIds: number[] = []) => {
  const { lines, credit } = allocate(charges, { amount, currency: 'GBP', preselectedIds });
  return { lines: lines.map((line) => [line.charge.id, line.amount]), credit };
};

describe('allocation of a payment', () => {
  test('covers the oldest charge first and part of the next', () => {
    expect(allocateAmount(6500)).toEqual({
      lines: [
        [1, 3500],
        [2, 3000],
      ],
      credit: 0,
    });
  });

  test('covers all charges to the penny and leaves no credit', () => {
    expect(allocateAmount(9050)).toEqual({
      lines: [
        [1, 3500],
        [2, 3500],
        [3, 2050],
      ],
      credit: 0,
    });
  });

  test('keeps the excess as credit', () => {
    expect(allocateAmount(9550).credit).toBe(500);
  });

  test('covers preselected charges before older ones, in due order', () => {
    expect(allocateAmount(6000, [3, 2]).lines).toEqual([
      [2, 3500],
      [3, 2050],
      [1, 450],
    ]);
  });

  test('does not cover charges in another currency', () => {
    const { lines, credit } = allocate(charges, {
      amount: 5000,
      currency: 'EUR',
      preselectedIds: [1],
    });
    expect(lines).toEqual([]);
    expect(credit).toBe(5000);
  });

  test('covers nothing with an amount of 0', () => {
    expect(allocateAmount(0)).toEqual({ lines: [], credit: 0 });
  });
});
