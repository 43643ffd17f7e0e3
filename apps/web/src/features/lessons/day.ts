import { durationMinutes } from '@lessonbook/contract/dates';
import { type Currency, toMinor } from '@lessonbook/contract/money';
import type { SessionRow } from '@lessonbook/contract/sessions';

export type ByDay = ReadonlyMap<string, readonly SessionRow[]>;

/** Sessions under their dates, each day by start time. */
export function byDay(sessions: readonly SessionRow[]): ByDay {
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

export const countOf = (days: ByDay, date: string): number =>
  days.get(date)?.filter(takesPlace).length ?? 0;

export interface Amount {
  currency: Currency;
  minor: number;
}

/** What the lessons are worth: what was charged once that is settled, the fee until then. Currencies are never added. */
export function worth(sessions: readonly SessionRow[]): Amount[] {
  const totals = new Map<Currency, number>();
  for (const session of sessions) {
    const minor = worthOf(session);
    if (minor > 0) totals.set(session.currency, (totals.get(session.currency) ?? 0) + minor);
  }
  return [...totals]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((one, other) => other.minor - one.minor);
}

function worthOf({ status, fee, charged }: SessionRow): number {
  if (status === 'scheduled') return fee === null ? 0 : toMinor(fee);
  return charged ?? 0;
}

export const teachingMinutes = (sessions: readonly SessionRow[]): number =>
  sessions
    .filter(takesPlace)
    .reduce((sum, { startTime, endTime }) => sum + durationMinutes(startTime, endTime), 0);
