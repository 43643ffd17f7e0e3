import { expect, test } from 'vitest';
import { datesOutsideTerms, isInTerm } from './terms.ts';

const terms = [
  { fromDate: '2026-11-02', toDate: '2026-12-18' },
  { fromDate: '2027-01-04', toDate: '2027-02-12' },
];

test('both days of a term are inclusive', () => {
  const dates = [
    '2026-11-01',
    '2026-11-02',
    '2026-12-18',
    '2026-12-19',
    '2027-01-03',
    '2027-01-04',
  ];
  expect(dates.filter((date) => isInTerm(terms, date))).toEqual([
    '2026-11-02',
    '2026-12-18',
    '2027-01-04',
  ]);
});

test('a series without terms takes place all year, and one with an empty calendar never', () => {
  expect(isInTerm(null, '2026-12-25')).toBe(true);
  expect(isInTerm([], '2026-11-17')).toBe(false);
});

test('lists the dates between the terms, but not those after the last', () => {
  const dates = ['2026-11-17', '2026-12-22', '2026-12-29', '2027-01-05', '2027-02-16'];
  expect(datesOutsideTerms(terms, dates)).toEqual(['2026-12-22', '2026-12-29']);
  expect(datesOutsideTerms(null, dates)).toEqual([]);
  expect(datesOutsideTerms([], dates)).toEqual([]);
});
