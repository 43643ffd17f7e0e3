import { describe, expect, test } from 'vitest';
import {
  addDaysToDate,
  addMonthsToDate,
  dateFromDayNumber,
  dayNumber,
  daysInMonth,
  durationMinutes,
  isDate,
  isTime,
  startOfWeek,
  weekday,
} from './dates.ts';

const pad = (number: number) => String(number).padStart(2, '0');
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
/** Does not use the functions under test. */
const monthLength = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Every day from 1970 to 2100. */
function* everyDay(): Generator<string> {
  for (let year = 1970; year <= 2100; year++)
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= monthLength(year, month); day++)
        yield `${year}-${pad(month)}-${pad(day)}`;
}

describe('isDate', () => {
  test.each(['2026-11-16', '2024-02-29', '2000-02-29', '1970-01-01', '2026-12-31'])(
    'accepts %s',
    (text) => {
      expect(isDate(text)).toBe(true);
    },
  );

  test.each([
    '2026-02-29',
    '2026-02-30',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '16/11/2026',
    '2026-11-16T00:00',
    ' 2026-11-16',
    '2026-11-16\n',
    '1969-12-31',
    '',
  ])('rejects %j', (text) => {
    expect(isDate(text)).toBe(false);
  });

  test('accepts the last day of every month from 1970 to 2100 and rejects the next', () => {
    for (let year = 1970; year <= 2100; year++)
      for (let month = 1; month <= 12; month++) {
        const last = monthLength(year, month);
        expect(daysInMonth(year, month)).toBe(last);
        expect(isDate(`${year}-${pad(month)}-${pad(last)}`)).toBe(true);
        expect(isDate(`${year}-${pad(month)}-${pad(last + 1)}`)).toBe(false);
      }
  });
});

describe('day arithmetic', () => {
  test('day numbers and weekdays increase by one every day from 1970 to 2100', () => {
    let number = 0;
    let previous: string | null = null;
    for (const date of everyDay()) {
      const isWrong =
        dayNumber(date) !== number ||
        dateFromDayNumber(number) !== date ||
        weekday(date) !== ((number + 3) % 7) + 1 ||
        (previous !== null &&
          (addDaysToDate(previous, 1) !== date || addDaysToDate(date, -1) !== previous));
      if (isWrong) throw new Error(`${date} has the wrong number or weekday`);
      previous = date;
      number += 1;
    }
    expect(number).toBe(131 * 365 + 33 - 1);
  });

  test.each([
    ['1970-01-01', 4],
    ['2000-01-01', 6],
    ['2024-02-29', 4],
    ['2026-11-16', 1],
    ['2026-11-22', 7],
    ['2038-01-19', 2],
  ])('%s is weekday %d, where Monday is 1', (date, expected) => {
    expect(weekday(date)).toBe(expected);
  });

  test('addDaysToDate handles month ends, year ends, leap days and clock changes', () => {
    expect(addDaysToDate('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDaysToDate('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDaysToDate('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDaysToDate('2027-03-27', 2)).toBe('2027-03-29');
    expect(addDaysToDate('2026-11-16', -16)).toBe('2026-10-31');
    expect(addDaysToDate('2026-11-16', 0)).toBe('2026-11-16');
  });

  test('startOfWeek returns the Monday of the week', () => {
    for (let day = 0; day < 7; day++)
      expect(startOfWeek(addDaysToDate('2026-11-16', day))).toBe('2026-11-16');
    expect(startOfWeek('2026-11-15')).toBe('2026-11-09');
    expect(startOfWeek('2027-01-01')).toBe('2026-12-28');
  });
});

describe('addMonthsToDate', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-11-16', 12, '2027-11-16'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
  ])('%s plus %d months is %s', (date, months, expected) => {
    expect(addMonthsToDate(date, months)).toBe(expected);
  });

  test('keeps the day of the month, or uses the last day of a shorter month, for every day of a leap year', () => {
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= monthLength(2024, month); day++)
        for (let step = 0; step <= 50; step++) {
          const total = month - 1 + step;
          const [year, newMonth] = [2024 + Math.floor(total / 12), (total % 12) + 1];
          const newDay = Math.min(day, monthLength(year, newMonth));
          expect(addMonthsToDate(`2024-${pad(month)}-${pad(day)}`, step)).toBe(
            `${year}-${pad(newMonth)}-${pad(newDay)}`,
          );
        }
  });
});

describe('isTime', () => {
  test('accepts each of the 1440 minutes in a day', () => {
    for (let hour = 0; hour < 24; hour++)
      for (let minute = 0; minute < 60; minute++)
        expect(isTime(`${pad(hour)}:${pad(minute)}`)).toBe(true);
  });

  test.each(['24:00', '23:60', '9:00', '09:0', '0900', '09:00:00', '9am', ' 09:00', '09:00\n', ''])(
    'rejects %j',
    (text) => {
      expect(isTime(text)).toBe(false);
    },
  );
});

describe('durationMinutes', () => {
  test.each([
    ['09:00', '10:00', 60],
    ['16:15', '17:00', 45],
    ['00:00', '23:59', 1439],
    ['09:59', '10:00', 1],
  ])('[LESS-33] from %s to %s is %d minutes', (start, end, minutes) => {
    expect(durationMinutes(start, end)).toBe(minutes);
  });

  test.each([
    [null, '10:00'],
    ['09:00', null],
    [undefined, undefined],
    ['', '10:00'],
    ['09:00', ''],
  ])('[LESS-34] defaults to 60 minutes from %j to %j', (start, end) => {
    expect(durationMinutes(start, end)).toBe(60);
  });
});
