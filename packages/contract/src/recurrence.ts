import {
  addDaysToDate,
  addMonthsToDate,
  dateFromDayNumber,
  dayNumber,
  daysInMonth,
  weekday,
} from './dates.ts';

/**
 * 'monthly' means the same day of each month, 'monthly_weekday' for example the second Tuesday, and 'monthly_last_weekday' for
 * example the last Tuesday.
 */
export const RECURRENCE_PATTERNS = [
  'weekly',
  'biweekly',
  'monthly',
  'monthly_weekday',
  'monthly_last_weekday',
] as const;
export type RecurrencePattern = (typeof RECURRENCE_PATTERNS)[number];

export const isMonthly = (pattern: RecurrencePattern): boolean =>
  pattern !== 'weekly' && pattern !== 'biweekly';

/**
 * The dates of a repeating lesson from its first date to `until`, inclusive. Monthly dates are computed from the first
 * date, so a lesson on the 31st returns to the 31st after a shorter month.
 */
export function occurrences(pattern: RecurrencePattern, first: string, until: string): string[] {
  const dates: string[] = [];
  for (let index = 0; ; index++) {
    const date = occurrenceAt(pattern, first, index);
    if (date > until) return dates;
    dates.push(date);
  }
}

/** The date at this index in the list of occurrences; 0 is the first date. */
export function occurrenceAt(pattern: RecurrencePattern, first: string, index: number): string {
  if (pattern === 'monthly') return addMonthsToDate(first, index);
  if (pattern === 'monthly_weekday')
    return weekdayInMonth(addMonthsToDate(first, index), weekday(first), weekOfMonth(first));
  if (pattern === 'monthly_last_weekday')
    return weekdayInMonth(addMonthsToDate(first, index), weekday(first), LAST);
  return dateFromDayNumber(dayNumber(first) + index * (pattern === 'weekly' ? 7 : 14));
}

const LAST = 5;

/** 1 for the first Tuesday of a month, 5 for the fifth. */
export const weekOfMonth = (date: string): number => Math.ceil(Number(date.slice(8)) / 7);

/** Whether no later day of the month has the same weekday. */
export const isLastWeekday = (date: string): boolean =>
  addDaysToDate(date, 7).slice(0, 7) !== date.slice(0, 7);

/** In a month without a fifth such weekday, the last one is used. */
function weekdayInMonth(dateInMonth: string, day: number, week: number): string {
  const first = `${dateInMonth.slice(0, 8)}01`;
  const dayOfMonth = 1 + ((day - weekday(first) + 7) % 7) + (week - 1) * 7;
  const length = daysInMonth(Number(first.slice(0, 4)), Number(first.slice(5, 7)));
  return addDaysToDate(first, (dayOfMonth > length ? dayOfMonth - 7 : dayOfMonth) - 1);
}

/** The pattern for a series that moves to this date: the last Sunday may become the third Saturday. */
export function fitPattern(pattern: RecurrencePattern, date: string): RecurrencePattern {
  if (pattern === 'monthly_last_weekday' && !isLastWeekday(date)) return 'monthly_weekday';
  // Not every month has a fifth such weekday.
  if (pattern === 'monthly_weekday' && weekOfMonth(date) === LAST) return 'monthly_last_weekday';
  return pattern;
}
