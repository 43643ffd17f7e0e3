import {
  addDaysToDate,
  addMonthsToDate,
  daysInMonth,
  startOfWeek,
  weekday,
} from '@lessonbook/contract/dates';
import type { SessionRow } from '@lessonbook/contract/sessions';

export const firstOfMonth = (date: string): string => `${date.slice(0, 8)}01`;

export const isSameMonth = (a: string, b: string): boolean => a.slice(0, 7) === b.slice(0, 7);

/** The days of a month grid: whole weeks from Monday, including days of the adjacent months. */
export function monthDays(date: string): string[] {
  const first = firstOfMonth(date);
  const length = daysInMonth(Number(date.slice(0, 4)), Number(date.slice(5, 7)));
  const weeks = Math.ceil((weekday(first) - 1 + length) / 7);
  return daysFrom(startOfWeek(first), weeks * 7);
}

export const weekDays = (date: string): string[] => daysFrom(startOfWeek(date), 7);

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, day) => addDaysToDate(first, day));

/** The first day of the previous or next month, or today if it is in that month. */
export function stepMonth(date: string, step: number, today: string): string {
  const first = addMonthsToDate(firstOfMonth(date), step);
  return isSameMonth(first, today) ? today : first;
}

export type SessionsByDay = ReadonlyMap<string, readonly SessionRow[]>;

/** Groups sessions by date, with each day sorted by start time. */
export function groupByDay(sessions: readonly SessionRow[]): SessionsByDay {
  const days = new Map<string, SessionRow[]>();
  for (const session of sessions) {
    const day = days.get(session.date);
    if (day) day.push(session);
    else days.set(session.date, [session]);
  }
  for (const day of days.values()) {
    day.sort((a, b) => a.startTime.localeCompare(b.startTime) || a.id - b.id);
  }
  return days;
}

export interface TimeSlot {
  date: string;
  startTime: string;
  endTime: string;
}
