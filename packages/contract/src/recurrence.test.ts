import { describe, expect, test } from 'vitest';
import { addDaysToDate, dayNumber, daysInMonth, weekday } from './dates.ts';
import { fitPattern, occurrenceAt, occurrences, RECURRENCE_PATTERNS } from './recurrence.ts';

describe('occurrences', () => {
  test('weekly lessons repeat every seven days, up to and including the last day', () => {
    expect(occurrences('weekly', '2026-12-15', '2027-01-05')).toEqual([
      '2026-12-15',
      '2026-12-22',
      '2026-12-29',
      '2027-01-05',
    ]);
    expect(occurrences('weekly', '2026-12-15', '2027-01-04')).toHaveLength(3);
  });

  test('biweekly lessons repeat every fourteen days, across clock changes and leap days', () => {
    expect(occurrences('biweekly', '2028-02-15', '2028-04-11')).toEqual([
      '2028-02-15',
      '2028-02-29',
      '2028-03-14',
      '2028-03-28',
      '2028-04-11',
    ]);
  });

  test('monthly lessons on the 31st use the last day of a shorter month, then return to the 31st', () => {
    expect(occurrences('monthly', '2027-10-31', '2028-04-30')).toEqual([
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ]);
  });

  test('monthly lessons on the 29th and 30th use the last day of February, then return to their day', () => {
    expect(occurrences('monthly', '2026-12-29', '2027-03-31')).toEqual([
      '2026-12-29',
      '2027-01-29',
      '2027-02-28',
      '2027-03-29',
    ]);
    expect(occurrences('monthly', '2026-12-30', '2027-03-31')[2]).toBe('2027-02-28');
  });

  test('has one date if the series ends on its first day, and none if it ends earlier', () => {
    for (const pattern of RECURRENCE_PATTERNS) {
      const fitted = fitPattern(pattern, '2026-11-17');
      expect(occurrences(fitted, '2026-11-17', '2026-11-17')).toEqual(['2026-11-17']);
      expect(occurrences(fitted, '2026-11-17', '2026-11-16')).toEqual([]);
    }
  });

  test('keeps the weekday or day of the month for two years from any day of a leap year', () => {
    for (let day = 0; day < 366; day++) {
      const first = addDaysToDate('2028-01-01', day);
      const until = addDaysToDate(first, 730);
      for (const [pattern, gap] of [
        ['weekly', 7],
        ['biweekly', 14],
      ] as const) {
        const dates = occurrences(pattern, first, until);
        expect(dates).toHaveLength(Math.floor(730 / gap) + 1);
        expect(dates.every((date) => weekday(date) === weekday(first))).toBe(true);
        expect(dates.every((date, step) => dayNumber(date) - dayNumber(first) === step * gap)).toBe(
          true,
        );
      }
      const months = occurrences('monthly', first, until);
      expect(new Set(months.map((date) => date.slice(0, 7))).size).toBe(months.length);
      for (const date of months) {
        const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
        const expected = Math.min(Number(first.slice(8)), daysInMonth(year, month));
        expect(Number(date.slice(8))).toBe(expected);
      }
    }
  });

  test('occurrenceAt returns the list item at that index', () => {
    for (const pattern of RECURRENCE_PATTERNS)
      occurrences(pattern, '2026-08-31', '2028-08-31').forEach((date, index) => {
        expect(occurrenceAt(pattern, '2026-08-31', index)).toBe(date);
      });
  });
});

describe('F120 monthly by weekday', () => {
  test('repeats on the second Tuesday of each month', () => {
    expect(occurrences('monthly_weekday', '2026-11-10', '2027-03-31')).toEqual([
      '2026-11-10',
      '2026-12-08',
      '2027-01-12',
      '2027-02-09',
      '2027-03-09',
    ]);
  });

  test('repeats on the last Sunday of each month, whether it is the fourth or the fifth', () => {
    expect(occurrences('monthly_last_weekday', '2026-11-29', '2027-02-28')).toEqual([
      '2026-11-29',
      '2026-12-27',
      '2027-01-31',
      '2027-02-28',
    ]);
    expect(occurrences('monthly_last_weekday', '2026-10-25', '2026-11-30')).toEqual([
      '2026-10-25',
      '2026-11-29',
    ]);
  });

  test('has exactly one date in each month, with the same weekday, from any day of a leap year', () => {
    for (let day = 0; day < 366; day++) {
      const first = addDaysToDate('2028-01-01', day);
      for (const each of ['monthly_weekday', 'monthly_last_weekday'] as const) {
        const dates = occurrences(fitPattern(each, first), first, addDaysToDate(first, 730));
        expect(dates[0]).toBe(first);
        expect(new Set(dates.map((date) => date.slice(0, 7))).size).toBe(dates.length);
        expect(dates.every((date) => weekday(date) === weekday(first))).toBe(true);
      }
    }
  });

  test('a series moved to a date that does not fit continues with the weekday of that date', () => {
    expect(fitPattern('monthly_last_weekday', '2026-11-21')).toBe('monthly_weekday');
    expect(fitPattern('monthly_last_weekday', '2026-11-28')).toBe('monthly_last_weekday');
    expect(fitPattern('monthly_weekday', '2026-11-30')).toBe('monthly_last_weekday');
    expect(fitPattern('weekly', '2026-11-30')).toBe('weekly');
  });
});
