import type { OpenCharge } from '@lessonbook/contract/payments';
import { describe, expect, test } from 'vitest';
import { openCharge } from '../../test/family-fixtures.ts';
import { allocate } from './allocation.ts';

const maya = openCharge({ id: 1, date: '2026-11-03', outstanding: 3500 });
const leo = openCharge({ id: 2, date: '2026-11-05', outstanding: 3500 });
const noah = openCharge({ id: 3, date: '2026-11-10', outstanding: 2050 });
const charges: OpenCharge[] = [maya, leo, noah];

const cover = (amount: number, named: number[] = []) => {
  const { lines, credit } = allocate(charges, { amount, currency: 'GBP', named });
  return { lines: lines.map((line) => [line.charge.id, line.amount]), credit };
};

describe('what a payment covers', () => {
  test('the oldest first, and part of the next', () => {
    expect(cover(6500)).toEqual({
      lines: [
        [1, 3500],
        [2, 3000],
      ],
      credit: 0,
    });
  });

  test('all of it to the penny, and nothing over', () => {
    expect(cover(9050)).toEqual({
      lines: [
        [1, 3500],
        [2, 3500],
        [3, 2050],
      ],
      credit: 0,
    });
  });

  test('what is more than owed stays as credit', () => {
    expect(cover(9550).credit).toBe(500);
  });

  test('named lessons come before older ones, in the order they are due', () => {
    expect(cover(6000, [3, 2]).lines).toEqual([
      [2, 3500],
      [3, 2050],
      [1, 450],
    ]);
  });

  test('money in one currency pays nothing in another', () => {
    const { lines, credit } = allocate(charges, { amount: 5000, currency: 'EUR', named: [1] });
    expect(lines).toEqual([]);
    expect(credit).toBe(5000);
  });

  test('nothing typed covers nothing', () => {
    expect(cover(0)).toEqual({ lines: [], credit: 0 });
  });
});
