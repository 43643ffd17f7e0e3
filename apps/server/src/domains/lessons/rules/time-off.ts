import type { LocalSlot } from './local-to-utc.ts';

interface TimeOffPeriod {
  fromDate: string;
  toDate: string;
  startTime: string | null;
  endTime: string | null;
}

/** True if a session falls on one of the days off and, if hours are set, overlaps them. */
export function coversSession(timeOff: TimeOffPeriod, session: LocalSlot): boolean {
  if (session.date < timeOff.fromDate || session.date > timeOff.toDate) return false;
  if (timeOff.startTime === null || timeOff.endTime === null) return true;
  return session.startTime < timeOff.endTime && session.endTime > timeOff.startTime;
}
