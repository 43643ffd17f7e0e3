import { durationMinutes } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SessionsByDay } from './calendar-and-series-dates.ts';

/** Scheduled or completed, so neither cancelled nor rescheduled. */
export const takesPlace = ({ status }: Pick<SessionRow, 'status'>): boolean =>
  status === 'scheduled' || status === 'completed';

export const countSessions = (days: SessionsByDay, date: string): number =>
  days.get(date)?.filter(takesPlace).length ?? 0;

export interface Amount {
  currency: Currency;
  minor: number;
}

/** Totals by currency: the charge for completed or cancelled sessions, the fee for scheduled ones. */
export function sumFees(sessions: readonly SessionRow[]): Amount[] {
  const totals = new Map<Currency, number>();
  for (const session of sessions) {
    const minor = feeOrCharge(session);
    if (minor > 0) totals.set(session.currency, (totals.get(session.currency) ?? 0) + minor);
  }
  return [...totals]
    .map(([currency, minor]) => ({ currency, minor }))
    .toSorted((a, b) => b.minor - a.minor);
}

function feeOrCharge({ status, fee, charged }: SessionRow): number {
  if (status === 'scheduled') return fee ?? 0;
  return charged ?? 0;
}

export const teachingMinutes = (sessions: readonly SessionRow[]): number =>
  sessions
    .filter(takesPlace)
    .reduce((sum, { startTime, endTime }) => sum + durationMinutes(startTime, endTime), 0);
