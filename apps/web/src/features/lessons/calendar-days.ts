import {
  daysInMonth,
  durationMinutes,
  plusDays,
  plusMonths,
  startOfWeek,
  weekday,
} from '@lessonbook/contract/dates';
import { type Currency, toMinor } from '@lessonbook/contract/money';
import type { SessionRow } from '@lessonbook/contract/sessions';

export const firstOfMonth = (date: string): string => `${date.slice(0, 8)}01`;

export const isSameMonth = (one: string, other: string): boolean =>
  one.slice(0, 7) === other.slice(0, 7);

/** The days of a month's sheet: whole weeks from Monday, so the edges belong to its neighbours. */
export function monthDays(date: string): string[] {
  const first = firstOfMonth(date);
  const length = daysInMonth(Number(date.slice(0, 4)), Number(date.slice(5, 7)));
  const weeks = Math.ceil((weekday(first) - 1 + length) / 7);
  return daysFrom(startOfWeek(first), weeks * 7);
}

export const weekDays = (date: string): string[] => daysFrom(startOfWeek(date), 7);

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, day) => plusDays(first, day));

/** The month before or after: its first day, or today if that is in it. */
export function stepMonth(date: string, step: number, today: string): string {
  const first = plusMonths(firstOfMonth(date), step);
  return isSameMonth(first, today) ? today : first;
}

export type SessionsByDay = ReadonlyMap<string, readonly SessionRow[]>;

/** Sessions under their dates, each day by start time. */
export function groupByDay(sessions: readonly SessionRow[]): SessionsByDay {
  const days = new Map<string, SessionRow[]>();
  for (const session of sessions) {
    const day = days.get(session.date);
    if (day) day.push(session);
    else days.set(session.date, [session]);
  }
  for (const day of days.values()) {
    day.sort((one, other) => one.startTime.localeCompare(other.startTime) || one.id - other.id);
  }
  return days;
}

/** Taught or still to be: what counts when a day is counted. */
export const takesPlace = ({ status }: Pick<SessionRow, 'status'>): boolean =>
  status === 'scheduled' || status === 'completed';

export const countSessions = (days: SessionsByDay, date: string): number =>
  days.get(date)?.filter(takesPlace).length ?? 0;

export interface Amount {
  currency: Currency;
  minor: number;
}

/** What the lessons are worth: what was charged once that is settled, the fee until then. Currencies are never added. */
export function sumFees(sessions: readonly SessionRow[]): Amount[] {
  const totals = new Map<Currency, number>();
  for (const session of sessions) {
    const minor = feeOrCharge(session);
    if (minor > 0) totals.set(session.currency, (totals.get(session.currency) ?? 0) + minor);
  }
  return [...totals]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((one, other) => other.minor - one.minor);
}

function feeOrCharge({ status, fee, charged }: SessionRow): number {
  if (status === 'scheduled') return fee === null ? 0 : toMinor(fee);
  return charged ?? 0;
}

export const teachingMinutes = (sessions: readonly SessionRow[]): number =>
  sessions
    .filter(takesPlace)
    .reduce((sum, { startTime, endTime }) => sum + durationMinutes(startTime, endTime), 0);
