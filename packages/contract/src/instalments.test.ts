import { expect, test } from 'vitest';
import { instalmentDates, splitIntoInstalments } from './instalments.ts';

test('instalments add up to the total, and differ by at most a penny', () => {
  expect(splitIntoInstalments(10_000, 3)).toEqual([3334, 3333, 3333]);
  expect(splitIntoInstalments(34_000, 4)).toEqual([8500, 8500, 8500, 8500]);
  for (const total of [2, 101, 9999, 123_457]) {
    for (let count = 2; count <= Math.min(24, total); count += 1) {
      const amounts = splitIntoInstalments(total, count);
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(total);
      expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(1);
      expect(Math.min(...amounts)).toBeGreaterThan(0);
    }
  }
});

test('dates are a week apart, or on the same day of each month', () => {
  expect(instalmentDates('2026-12-28', 3, 'weekly')).toEqual([
    '2026-12-28',
    '2027-01-04',
    '2027-01-11',
  ]);
  expect(instalmentDates('2026-12-31', 4, 'monthly')).toEqual([
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
  ]);
});
