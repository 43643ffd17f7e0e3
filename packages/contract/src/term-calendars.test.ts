import { expect, test } from 'vitest';
import { TermCalendarInput, termsForNextYear } from './term-calendars.ts';

const term = (name: string, fromDate: string, toDate: string) => ({ name, fromDate, toDate });

test('moves the last school year forward by 52 weeks, so that a Monday stays a Monday', () => {
  const terms = [
    term('Summer 2026', '2026-04-20', '2026-07-17'),
    term('Spring 2027', '2027-01-04', '2027-03-26'),
    term('Autumn 2026', '2026-09-07', '2026-12-18'),
    term('Summer 2027', '2027-04-12', '2027-07-16'),
  ];
  expect(termsForNextYear(terms)).toEqual([
    term('Autumn 2027', '2027-09-06', '2027-12-17'),
    term('Spring 2028', '2028-01-03', '2028-03-24'),
    term('Summer 2028', '2028-04-10', '2028-07-14'),
  ]);
  expect(termsForNextYear([])).toEqual([]);
});

test.each([
  ['Autumn 2026', 'Autumn 2027'],
  ['Autumn 2026/27', 'Autumn 2027/28'],
  ['Autumn 2099-00', 'Autumn 2100-01'],
  ['2026 first half', '2027 first half'],
  ['Term 3', 'Term 3'],
  ['Code 120260', 'Code 120260'],
])('%s becomes %s', (name, next) => {
  expect(termsForNextYear([term(name, '2026-09-07', '2026-12-18')])[0]?.name).toBe(next);
});

const problems = (terms: object[]) =>
  TermCalendarInput.safeParse({ name: 'Surrey', terms }).error?.issues.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

test('rejects an empty list, terms that end before they start, and overlapping terms', () => {
  expect(problems([])).toEqual(['terms: Please add a term']);
  expect(problems([term('Autumn', '2026-12-18', '2026-09-07')])).toEqual([
    "terms.0.toDate: The last day can't be before the first day",
  ]);
  const autumn = term('Autumn', '2026-09-07', '2026-12-18');
  expect(problems([autumn, term('Spring', '2026-12-18', '2027-03-26')])).toEqual([
    'terms.1.fromDate: These dates overlap with Autumn',
  ]);
  expect(problems([autumn, term('Spring', '2026-12-19', '2027-03-26')])).toBeUndefined();
});
