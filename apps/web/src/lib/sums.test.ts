import { expect, test } from 'vitest';
import { sumsOf, sumsText } from './sums.ts';

test('currencies are never added, and the largest comes first', () => {
  const amounts = [
    { currency: 'EUR', minor: 4000 },
    { currency: 'GBP', minor: 3000 },
    { currency: 'GBP', minor: 3550 },
  ] as const;
  expect(sumsOf(amounts)).toEqual([
    { currency: 'GBP', minor: 6550 },
    { currency: 'EUR', minor: 4000 },
  ]);
  expect(sumsText(amounts)).toBe('£65.50, €40');
});
