import { daysInMonth, mondayOf, plusDays, plusMonths, weekday } from '@lessonbook/contract/dates';

export const firstOfMonth = (date: string): string => `${date.slice(0, 8)}01`;

export const isSameMonth = (one: string, other: string): boolean =>
  one.slice(0, 7) === other.slice(0, 7);

/** The days of a month's sheet: whole weeks from Monday, so the edges belong to its neighbours. */
export function monthDays(date: string): string[] {
  const first = firstOfMonth(date);
  const length = daysInMonth(Number(date.slice(0, 4)), Number(date.slice(5, 7)));
  const weeks = Math.ceil((weekday(first) - 1 + length) / 7);
  return daysFrom(mondayOf(first), weeks * 7);
}

export const weekDays = (date: string): string[] => daysFrom(mondayOf(date), 7);

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, day) => plusDays(first, day));

/** The month before or after: its first day, or today if that is in it. */
export function besideMonth(date: string, step: number, today: string): string {
  const first = plusMonths(firstOfMonth(date), step);
  return isSameMonth(first, today) ? today : first;
}
