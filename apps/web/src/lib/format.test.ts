import { formatTime12 } from '@lessonbook/contract/format-time';
import { expect, test } from 'vitest';
import {
  createColumnAmountFormatter,
  firstName,
  formatAmount,
  formatDateWithYear,
  formatDayAndMonth,
  formatDuration,
  formatLongDate,
  formatMonthYear,
  formatPickerDate,
  formatRelativeDate,
  formatShortDate,
  formatTime,
  formatTimeRange,
  formatTotals,
  initials,
  pluralize,
  totalsByCurrency,
  weekdayName,
} from './format.ts';

test('amounts in different currencies are not added together, and the largest total comes first', () => {
  const amounts = [
    { currency: 'EUR', minor: 4000 },
    { currency: 'GBP', minor: 3000 },
    { currency: 'GBP', minor: 3550 },
  ] as const;
  expect(totalsByCurrency(amounts)).toEqual([
    { currency: 'GBP', minor: 6550 },
    { currency: 'EUR', minor: 4000 },
  ]);
  expect(formatTotals(amounts)).toBe('£65.50, €40');
});

test("F115 dates are formatted independently of the machine's time zone", () => {
  expect(formatLongDate('2026-11-14')).toBe('Saturday 14 November 2026');
  expect(formatLongDate('2026-09-01')).toBe('Tuesday 1 September 2026');
  expect(formatDayAndMonth('2026-11-05')).toBe('5 November');
  expect(formatMonthYear('2026-09-30')).toBe('September 2026');
  expect(weekdayName('2026-11-15')).toBe('Sunday');
});

test('a short date includes the year only if it is not the current one', () => {
  expect(formatShortDate('2026-11-17', '2026-11-15')).toBe('Tue 17 Nov');
  expect(formatShortDate('2026-09-01', '2026-11-15')).toBe('Tue 1 Sep');
  expect(formatShortDate('2027-01-01', '2026-12-31')).toBe('Fri 1 Jan 2027');
  expect(formatDateWithYear('2026-12-15')).toBe('15 Dec 2026');
  expect(formatPickerDate('2026-09-04')).toBe('Sep 4, 2026');
});

test('yesterday, today and tomorrow are shown by name', () => {
  expect(formatRelativeDate('2026-11-15', '2026-11-15')).toBe('today');
  expect(formatRelativeDate('2026-12-01', '2026-11-30')).toBe('tomorrow');
  expect(formatRelativeDate('2026-02-28', '2026-03-01')).toBe('yesterday');
  expect(formatRelativeDate('2026-11-17', '2026-11-15')).toBe('Tue 17 Nov');
});

test('[CONST-17] a time is shown as its first five characters or, in some places, in 12-hour format', () => {
  expect(formatTime('16:00:00')).toBe('16:00');
  expect(formatTimeRange('09:30:00', '10:15:00')).toBe('09:30–10:15');
  expect(formatTimeRange('23:00', '23:59')).toBe('23:00–24:00');
  expect(formatTime12('16:00')).toBe('4pm');
  expect(formatTime12('00:05')).toBe('12:05am');
  expect(formatTime12('12:00')).toBe('12 noon');
  expect(formatTime12('11:59')).toBe('11:59am');
});

test('durations are formatted in hours and minutes', () => {
  expect(formatDuration(45)).toBe('45 mins');
  expect(formatDuration(60)).toBe('1 hr');
  expect(formatDuration(225)).toBe('3 hrs 45 mins');
});

test('amounts show pence only when needed, and throughout a column if any amount has them', () => {
  expect(formatAmount(3500, 'GBP')).toBe('£35');
  expect(formatAmount(3550, 'GBP')).toBe('£35.50');
  expect(formatAmount(120000, 'USD')).toBe('$1,200');
  expect(formatAmount(0, 'EUR')).toBe('€0');
  const column = createColumnAmountFormatter([3500, 2050]);
  expect(column(3500, 'GBP')).toBe('£35.00');
});

test('counts are pluralised', () => {
  expect(pluralize(1, 'lesson')).toBe('1 lesson');
  expect(pluralize(0, 'lesson')).toBe('0 lessons');
  expect(pluralize(2, 'family', 'families')).toBe('2 families');
});

test('names are shortened to first name and initials', () => {
  expect(firstName('  Ada  Fenwick ')).toBe('Ada');
  expect(initials('Ada Mary Fenwick')).toBe('AM');
  expect(initials('ada')).toBe('A');
});
