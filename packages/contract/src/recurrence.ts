import { dateFromDayNumber, dayNumber, plusMonths } from './dates.ts';

export const PATTERNS = ['weekly', 'biweekly', 'monthly'] as const;
export type Pattern = (typeof PATTERNS)[number];

/**
 * The dates of a repeating lesson from its first date to `until`, inclusive. Monthly dates are computed from the first
 * date, so a lesson on the 31st returns to the 31st after a shorter month.
 */
export function occurrences(pattern: Pattern, first: string, until: string): string[] {
  const dates: string[] = [];
  for (let step = 0; ; step++) {
    const date = occurrence(pattern, first, step);
    if (date > until) return dates;
    dates.push(date);
  }
}

/** The date of the lesson after it has repeated `step` times. */
export function occurrence(pattern: Pattern, first: string, step: number): string {
  if (pattern === 'monthly') return plusMonths(first, step);
  return dateFromDayNumber(dayNumber(first) + step * (pattern === 'weekly' ? 7 : 14));
}
