import { expect, test } from 'vitest';
import { defaultRiseStart } from './price-rises.ts';

const terms = (...dates: string[]) => dates.map((fromDate) => ({ fromDate }));

test.each([
  ["the next term with at least 30 days' notice", ['2027-04-19', '2027-01-05'], '2027-01-05'],
  ['a term exactly 30 days ahead', ['2026-12-15', '2027-01-05'], '2026-12-15'],
  ['the term after one that is only 29 days ahead', ['2026-12-14', '2027-01-05'], '2027-01-05'],
  ['the first day of a month after the last term', ['2026-09-07', '2026-12-14'], '2027-01-01'],
  ['the first day of a month if there are no terms', [], '2027-01-01'],
])('a price rise starts with %s', (_, dates, expected) => {
  expect(defaultRiseStart('2026-11-15', terms(...dates))).toBe(expected);
});

test.each([
  ['2026-12-02', '2027-01-01'],
  ['2026-12-03', '2027-02-01'],
  ['2027-01-30', '2027-03-01'],
  ['2028-01-31', '2028-03-01'],
])('without terms, a rise decided on %s starts on %s', (today, expected) => {
  expect(defaultRiseStart(today, [])).toBe(expected);
});
