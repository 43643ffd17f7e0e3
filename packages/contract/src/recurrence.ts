import { addMonthsToDate, dateFromDayNumber, dayNumber } from './dates.ts';

export const RECURRENCE_PATTERNS = ['weekly', 'biweekly', 'monthly'] as const;
export type RecurrencePattern = (typeof RECURRENCE_PATTERNS)[number];

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
  return dateFromDayNumber(dayNumber(first) + index * (pattern === 'weekly' ? 7 : 14));
}
