import { describe, expect, test } from 'vitest';
import { allowancePeriodOn, datesOutsideTerms, isInTerm } from './terms.ts';

const terms = [
  { fromDate: '2026-11-02', toDate: '2026-12-18' },
  { fromDate: '2027-01-04', toDate: '2027-02-12' },
];

test('a term includes its first and last days', () => {
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

test('a series without terms takes place all year, and a series with an empty calendar never takes place', () => {
  expect(isInTerm(null, '2026-12-25')).toBe(true);
  expect(isInTerm([], '2026-11-17')).toBe(false);
});

test('lists the dates between the terms, but not those after the last term', () => {
  const dates = ['2026-11-17', '2026-12-22', '2026-12-29', '2027-01-05', '2027-02-16'];
  expect(datesOutsideTerms(terms, dates)).toEqual(['2026-12-22', '2026-12-29']);
  expect(datesOutsideTerms(null, dates)).toEqual([]);
  expect(datesOutsideTerms([], dates)).toEqual([]);
});

describe('allowancePeriodOn', () => {
  const schoolYear = [
    { fromDate: '2027-01-05', toDate: '2027-03-25' },
    { fromDate: '2026-09-02', toDate: '2026-12-18' },
  ];

  test.each([
    ['within a term', '2026-11-17', '2026-09-02', '2027-01-04'],
    ['in the holidays after it', '2026-12-27', '2026-09-02', '2027-01-04'],
    ['on the first day of the next term', '2027-01-05', '2027-01-05', '2027-03-25'],
    ['after the last known term', '2027-05-11', '2027-05-01', '2027-08-31'],
    ['before the first known term', '2026-03-01', '2026-01-01', '2026-04-30'],
  ])('returns the period of a date %s', (_name, date, fromDate, toDate) => {
    expect(allowancePeriodOn(schoolYear, date)).toEqual({ fromDate, toDate });
  });

  test('without terms, the period is a third of the year', () => {
    expect(allowancePeriodOn([], '2026-11-17')).toEqual({
      fromDate: '2026-09-01',
      toDate: '2026-12-31',
    });
  });
});
