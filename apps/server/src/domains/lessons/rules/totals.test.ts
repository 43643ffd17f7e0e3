import { expect, test } from 'vitest';
import { totalsByCurrency } from './totals.ts';

test('adds charged and outstanding amounts for each currency separately', () => {
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

test('is empty when nothing was charged', () => {
  expect(totalsByCurrency([{ currency: 'GBP', charged: null, outstanding: null }])).toEqual([]);
});
