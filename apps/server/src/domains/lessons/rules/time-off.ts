import type { LocalSlot } from './local-to-utc.ts';

export interface TimeOffRange {
  id: number;
  /** The student who is paused; null for the tutor's own time off. */
  studentId: number | null;
  fromDate: string;
  /** Null for a pause without an end. */
  toDate: string | null;
  startTime: string | null;
  endTime: string | null;
}

/** True if a session falls on one of the days off and, if hours are set, overlaps them. */
export function coversSession(
  timeOff: Omit<TimeOffRange, 'id' | 'studentId'>,
  session: LocalSlot,
): boolean {
  if (!coversDate(timeOff, session.date)) return false;
  if (timeOff.startTime === null || timeOff.endTime === null) return true;
  return session.startTime < timeOff.endTime && session.endTime > timeOff.startTime;
}

export const coversDate = (
  { fromDate, toDate }: Pick<TimeOffRange, 'fromDate' | 'toDate'>,
  date: string,
): boolean => fromDate <= date && (toDate === null || date <= toDate);

/** What time off cancels: the whole session if `timeOffId` is set, otherwise only the seats of paused students. */
export interface TimeOffPlan {
  timeOffId: number | null;
  pausedSeats: { studentId: number; timeOffId: number }[];
}

/** The tutor's time off cancels the session. Pauses cancel it only if no other student is expected. */
export function planTimeOff(
  timeOffRanges: readonly TimeOffRange[],
  session: LocalSlot,
  expectedStudentIds: readonly number[],
): TimeOffPlan {
  const covering = timeOffRanges.filter((timeOff) => coversSession(timeOff, session));
  const tutorTimeOff = covering.find((timeOff) => timeOff.studentId === null);
  if (tutorTimeOff) return { timeOffId: tutorTimeOff.id, pausedSeats: [] };
  const pausedSeats = expectedStudentIds.flatMap((studentId) => {
    const pause = covering.find((timeOff) => timeOff.studentId === studentId);
    return pause ? [{ studentId, timeOffId: pause.id }] : [];
  });
  const allArePaused = pausedSeats.length === expectedStudentIds.length;
  return { timeOffId: allArePaused ? (pausedSeats[0]?.timeOffId ?? null) : null, pausedSeats };
}
