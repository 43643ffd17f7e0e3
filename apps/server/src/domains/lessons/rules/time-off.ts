import type { LocalSlot } from './local-to-utc.ts';

interface TimeOffHours {
  fromDate: string;
  toDate: string;
  startTime: string | null;
  endTime: string | null;
}

/** Whether a session falls into time off: on one of its days, and inside its hours where it has any. */
export function coversSession(off: TimeOffHours, session: LocalSlot): boolean {
  if (session.date < off.fromDate || session.date > off.toDate) return false;
  if (off.startTime === null || off.endTime === null) return true;
  return session.startTime < off.endTime && session.endTime > off.startTime;
}
