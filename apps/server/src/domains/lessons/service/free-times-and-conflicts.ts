import { addDaysToDate } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { FreeTimes } from '@lessonbook/contract/move-requests';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import {
  findScheduledInstants,
  type ScheduledSession,
  scheduledSessionsWithStudents,
  usualHours,
} from '../queries/scheduled-times.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { findFreeTimes, moveRange } from '../rules/find-free-times.ts';
import { type LocalSlot, toInstants } from '../rules/local-to-utc.ts';
import { coversSession, type TimeOffRange } from '../rules/time-off.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

export { endTimeIfMovedTo } from '../rules/find-free-times.ts';
export { type LocalSlot, toInstants } from '../rules/local-to-utc.ts';

/** The tutor's usual hours are worked out from the sessions in this period. */
const DAYS_BACK = 56;
const DAYS_AHEAD = 28;

/** Times to which a session with one student could be moved. Does not check the availability of other students. */
export async function getFreeTimes(
  { tx, tutorId, timeZone, now, today }: ScheduleTx,
  session: LocalSlot & { sessionId: number; studentId: number },
): Promise<FreeTimes> {
  const { sessionId: exceptId, studentId } = session;
  const { from, to } = moveRange(session.date, today);
  const [hours, busy, timeOffRanges] = await executeBatch(tx, [
    usualHours(tx, tutorId, addDaysToDate(today, -DAYS_BACK), addDaysToDate(today, DAYS_AHEAD)),
    findScheduledInstants(tx, tutorId, { from, to, exceptId }),
    timeOffBetween(tx, tutorId, from, to, [studentId]),
  ]);
  return findFreeTimes(session, { timeZone, now, today, hours, busy, timeOffRanges });
}

export interface ProposedSlot extends LocalSlot {
  /** The session that would be moved to this slot. */
  sessionId: number;
  studentId: number;
}

/** What each slot conflicts with, such as 'Sam, 5pm to 6pm' or 'Time off'; null if the slot is free. */
export async function findConflicts(
  { tx, tutorId, timeZone }: Pick<ScheduleTx, 'tx' | 'tutorId' | 'timeZone'>,
  slots: readonly ProposedSlot[],
): Promise<(string | null)[]> {
  if (slots.length === 0) return [];
  const dates = [...new Set(slots.map(({ date }) => date))].toSorted();
  const studentIds = [...new Set(slots.map(({ studentId }) => studentId))];
  const [sessions, timeOffRanges] = await executeBatch(tx, [
    scheduledSessionsWithStudents(tx, tutorId, dates),
    timeOffBetween(tx, tutorId, dates[0] as string, dates.at(-1) as string, studentIds),
  ]);
  return slots.map((slot) => findConflict(slot, timeZone, sessions, timeOffRanges));
}

function findConflict(
  slot: ProposedSlot,
  timeZone: string,
  sessions: readonly ScheduledSession[],
  timeOffRanges: readonly TimeOffRange[],
): string | null {
  const { startsAt, endsAt } = toInstants(timeZone, slot);
  const session = sessions.find(
    (each) => each.id !== slot.sessionId && each.startsAt < endsAt && each.endsAt > startsAt,
  );
  if (session) {
    const names = session.studentNames.map(firstName).join(', ') || session.title;
    return `${names}, ${formatTime12(session.startTime)} to ${formatTime12(session.endTime)}`;
  }
  const timeOff = timeOffRanges.find(
    (each) =>
      (each.studentId === null || each.studentId === slot.studentId) && coversSession(each, slot),
  );
  if (!timeOff) return null;
  return timeOff.studentId === null ? 'Time off' : 'Paused';
}
