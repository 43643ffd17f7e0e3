import { describe, expect, test } from 'vitest';
import { formatMoney, toMajor, toMinor } from './money.ts';

describe('money', () => {
  test('[CONST-20] amounts are in minor units and divided by 100 for display', () => {
    expect(toMajor(3050)).toBe(30.5);
    expect(formatMoney(3050, 'GBP', 'en-GB')).toBe('£30.50');
  });

  test('[CONST-21] the formatter defaults to en-US and USD with two decimal places', () => {
    expect(formatMoney(123456)).toBe('$1,234.56');
    expect(formatMoney(100)).toBe('$1.00');
  });

  test.each([
    [19.99, 1999],
    [0.07, 7],
    [1.1, 110],
    [4.35, 435],
    [1, 100],
    [8.115, 812],
  ])('%d is %d minor units', (major, minor) => {
    expect(toMinor(major)).toBe(minor);
  });
});
