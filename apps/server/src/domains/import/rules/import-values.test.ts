import { expect, test } from 'vitest';
import { matchColumns } from './import-columns.ts';
import { parseDate, parseFee, parseTime } from './import-values.ts';

test.each([
  ['2026-11-17', '2026-11-17'],
  ['17/11/2026', '2026-11-17'],
  ['1/2/2027', '2027-02-01'],
  ['29/02/2027', null],
  ['11/17/2026', null],
  ['tomorrow', null],
])('parses the date %s', (text, date) => {
  expect(parseDate(text)).toBe(date);
});

test.each([
  ['16:00', '16:00'],
  ['9.30', '09:30'],
  ['4:15 pm', '16:15'],
  ['12:00 AM', '00:00'],
  ['16:00:00', '16:00'],
  ['24:00', null],
  ['13:00 pm', null],
  ['noon', null],
])('parses the time %s', (text, time) => {
  expect(parseTime(text)).toBe(time);
});

test.each([
  ['35', 35],
  ['£35.50', 35.5],
  ['35,50 €', 35.5],
  ['free', null],
  ['0', null],
  ['=35', undefined],
  ['-5', undefined],
])('parses the fee %s', (text, fee) => {
  expect(parseFee(text)).toBe(fee);
});

test('matches headings in any order and case, and reports unknown and missing columns', () => {
  const columns = matchColumns('lessons', [
    'START TIME',
    'weekly-until',
    'Date',
    'Room',
    'student',
  ]);
  expect([...columns.indexes]).toEqual([
    ['start', 0],
    ['until', 1],
    ['date', 2],
    ['student', 4],
  ]);
  expect(columns.unknown).toEqual(['Room']);
  expect(columns.missing).toEqual(['subject', 'end']);
});
