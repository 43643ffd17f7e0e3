import { expect, test } from 'vitest';
import { matchColumns } from './import-columns.ts';
import {
  detectDateOrder,
  parseDate,
  parseDuration,
  parseFee,
  parseRepeats,
  parseTime,
  splitDateAndTime,
} from './import-values.ts';

test.each([
  ['2026-11-17', '2026-11-17'],
  ['17/11/2026', '2026-11-17'],
  ['1/2/2027', '2027-02-01'],
  ['17.11.26', '2026-11-17'],
  ['17-11-2026', '2026-11-17'],
  ['Tue 17 Nov 2026', '2026-11-17'],
  ['17 November 2026', '2026-11-17'],
  ['Nov 17, 2026', '2026-11-17'],
  ['17 Nov', null],
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
  ['4pm', '16:00'],
  ['4 p.m.', '16:00'],
  ['1630', '16:30'],
  ['noon', '12:00'],
  ['24:00', null],
  ['13:00 pm', null],
  ['four', null],
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

test.each([
  ['60', 60],
  ['45 min', 45],
  ['1h', 60],
  ['1.5 hours', 90],
  ['1 hr 30', 90],
  ['1:30', 90],
  ['long', null],
])('F114 parses the duration %s', (text, minutes) => {
  expect(parseDuration(text)).toBe(minutes);
});

test.each([
  ['', null],
  ['Weekly', 'weekly'],
  ['every 2 weeks', 'biweekly'],
  ['Fortnightly', 'biweekly'],
  ['monthly', 'monthly'],
  ['daily', undefined],
])('F114 parses the recurrence %s', (text, pattern) => {
  expect(parseRepeats(text)).toBe(pattern);
});

test('F114 reads dates month first only if they cannot all be read day first', () => {
  expect(detectDateOrder(['11/17/2026', '12/01/2026'])).toBe('month-first');
  expect(detectDateOrder(['11/12/2026', '12/01/2026'])).toBe('day-first');
  expect(detectDateOrder(['11/17/2026', '17/11/2026'])).toBe('day-first');
  expect(parseDate('11/17/2026', 'month-first')).toBe('2026-11-17');
});

test.each([
  ['17/11/2026 16:00', '17/11/2026', '16:00'],
  ['2026-11-17T16:00:00', '2026-11-17', '16:00:00'],
  ['17 Nov 2026, 4pm', '17 Nov 2026', '4pm'],
  ['17/11/2026', '17/11/2026', ''],
  ['4pm', '4pm', ''],
])('F114 splits %s', (text, date, time) => {
  expect(splitDateAndTime(text)).toEqual({ date, time });
});

test('F114 matches headings in any order and case, including those used by other products', () => {
  const columns = matchColumns('lessons', [
    'START TIME',
    'weekly-until',
    'Date',
    'Shoe',
    'Attendees',
  ]);
  expect(columns).toEqual({ fields: ['start', 'until', 'date', null, 'student'], missing: [] });
  expect(matchColumns('lessons', ['Subject']).missing).toEqual(['Student', 'Date', 'Start']);
  expect(matchColumns('students', ['Given Name', 'Surname']).missing).toEqual([]);
  expect(matchColumns('students', ['a', 'b'], [null, 'name'])).toEqual({
    fields: [null, 'name'],
    missing: [],
  });
});
