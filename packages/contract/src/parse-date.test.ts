import { expect, test } from 'vitest';
import { parseTypedDate } from './parse-date.ts';

const TODAY = '2026-11-17';

test.each([
  ['3/12', '2026-12-03'],
  ['03/12/26', '2026-12-03'],
  ['3.12.2026', '2026-12-03'],
  ['3-12-2026', '2026-12-03'],
  ['2026-12-03', '2026-12-03'],
  ['3 Dec', '2026-12-03'],
  ['3rd of December 2026', '2026-12-03'],
  ['Dec 3, 2026', '2026-12-03'],
  [' tomorrow ', '2026-11-18'],
  ['3/10', '2026-10-03'],
  ['3/2', '2027-02-03'],
  ['29 Feb 2028', '2028-02-29'],
])('F63 the typed date %j is read as %s, with the day before the month', (text, date) => {
  expect(parseTypedDate(text, TODAY)).toBe(date);
});

test.each([
  '',
  '12/25',
  '31/4/2026',
  '29/2/2027',
  '3 Dec at',
  'soon',
  '3',
  '2026-13-01',
  'constructor',
])('F63 the text %j is not a date', (text) => {
  expect(parseTypedDate(text, TODAY)).toBeNull();
});

test('F63 a typed date without a year is the first one on or after the earliest allowed date', () => {
  expect(parseTypedDate('3/10', TODAY, TODAY)).toBe('2027-10-03');
});
