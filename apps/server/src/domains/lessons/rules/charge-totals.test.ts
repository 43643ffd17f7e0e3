import { expect, test } from 'vitest';
import { totalsByCurrency } from './charge-totals.ts';

test('sums charged and outstanding amounts separately for each currency', () => {
  expect(
    totalsByCurrency([
      { currency: 'GBP', charged: 3500, outstanding: 3500 },
      { currency: 'EUR', charged: 4000, outstanding: 0 },
      { currency: 'GBP', charged: 3000, outstanding: 1000 },
      { currency: 'USD', charged: null, outstanding: null },
    ]),
  ).toEqual([
    { currency: 'GBP', charged: 6500, outstanding: 4500 },
    { currency: 'EUR', charged: 4000, outstanding: 0 },
  ]);
});

test('is empty if nothing has been charged', () => {
  expect(totalsByCurrency([{ currency: 'GBP', charged: null, outstanding: null }])).toEqual([]);
});
