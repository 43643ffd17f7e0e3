import { seatsNotBillable } from '../events.ts';
import {
  resetPausedSeatsToExpected,
  unlinkSeatsFromPauses,
  updatePausedSeats,
} from '../queries/seats.ts';
import { findSessions, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import type { StudentSession } from '../queries/sessions-to-pause-or-end.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { filterExpectedSeats, isPaused } from '../rules/seat-fees-and-rosters.ts';
import {
  coversSession,
  planTimeOff,
  type TimeOffPlan,
  type TimeOffRange,
} from '../rules/time-off.ts';
import { cancelWithoutFee, restoreSessions } from './cancel-without-fee-and-restore.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/**
 * Cancels what falls within time off, as when a series is created: whole sessions, or only the seats of paused students
 * if other students are expected. Returns the ids of the cancelled sessions.
 */
export async function cancelDuringTimeOff(
  schedule: ScheduleTx,
  ids: readonly number[],
  onlyPausesOf: number | null = null,
): Promise<number[]> {
  const found = await findSessions(schedule.tx, schedule.tutorId, ids);
  const sessions = found.filter(({ status }) => status === 'scheduled');
  const allTimeOffRanges = await findTimeOffDuring(schedule, sessions);
  const timeOffRanges = allTimeOffRanges.filter(
    ({ studentId }) => onlyPausesOf === null || studentId === onlyPausesOf,
  );
  const plans = sessions.map((session) => ({
    sessionId: session.id,
    ...planTimeOff(timeOffRanges, session, toStudentIds(filterExpectedSeats(session.seats))),
  }));
  return applyTimeOff(schedule, plans);
}

/** Returns the ids of the sessions that were cancelled entirely. */
export async function applyTimeOff(
  schedule: ScheduleTx,
  plans: readonly (TimeOffPlan & { sessionId: number })[],
): Promise<number[]> {
  const { context, tx, tutorId } = schedule;
  const cancelled = plans.filter(({ timeOffId }) => timeOffId !== null);
  for (const [timeOffId, group] of Map.groupBy(cancelled, (plan) => plan.timeOffId)) {
    await cancelWithoutFee(
      schedule,
      group.map(({ sessionId }) => sessionId),
      timeOffId,
    );
  }
  const seats = plans.flatMap(({ sessionId, timeOffId, pausedSeats }) =>
    pausedSeats.map((seat) => ({
      sessionId,
      ...seat,
      // If the whole session is cancelled, its seats stay expected.
      state: timeOffId === null ? ('cancelled' as const) : ('expected' as const),
    })),
  );
  const cancelledSeats = seats.filter(({ state }) => state === 'cancelled');
  if (cancelledSeats.length > 0)
    await context.events.publish(tx, seatsNotBillable, { tutorId, seats: cancelledSeats });
  await updatePausedSeats(tx, tutorId, seats);
  const pausedIds = cancelled
    .filter(({ pausedSeats }) => pausedSeats.length > 0)
    .map(({ sessionId }) => sessionId);
  // Also resets students who were already paused, so that someone is expected if the session is reopened.
  await resetPausedSeatsToExpected(tx, tutorId, pausedIds);
  return cancelled.map(({ sessionId }) => sessionId);
}

async function findTimeOffDuring(
  { tx, tutorId }: ScheduleTx,
  sessions: readonly SessionRecord[],
): Promise<TimeOffRange[]> {
  const dates = sessions.map((session) => session.date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const studentIds = [...new Set(sessions.flatMap(({ seats }) => toStudentIds(seats)))];
  return (await tx.executeQuery(timeOffBetween(tx, tutorId, first, last, studentIds))).rows;
}

const toStudentIds = (seats: readonly { studentId: number }[]): number[] =>
  seats.map(({ studentId }) => studentId);

/** Restores the student's seats in sessions that a pause no longer covers. Returns the ids of the restored sessions. */
export async function restorePausedSeats(
  schedule: ScheduleTx,
  studentId: number,
  paused: readonly StudentSession[],
): Promise<number[]> {
  const wholeIds = paused.filter((session) => session.isPaused).map(({ id }) => id);
  const sharedIds = paused.filter(({ status }) => status === 'scheduled').map(({ id }) => id);
  await restoreSessions(schedule, wholeIds);
  // Includes sessions that were moved or cancelled for another reason, in case they are moved back or reopened.
  const notCompleted = paused.filter(({ status }) => status !== 'completed');
  await updatePausedSeats(
    schedule.tx,
    schedule.tutorId,
    notCompleted.map(({ id }) => ({
      sessionId: id,
      studentId,
      state: 'expected' as const,
      timeOffId: null,
    })),
  );
  // Other students of the session may still be paused, and the tutor may have time off.
  const stillCancelled = await cancelDuringTimeOff(schedule, wholeIds);
  return [...wholeIds.filter((id) => !stillCancelled.includes(id)), ...sharedIds];
}

/** Called after sessions have moved. Restores the seats of students whose pause does not cover the new date. */
export async function restoreSeatsAfterMove(
  schedule: ScheduleTx,
  ids: readonly number[],
): Promise<void> {
  const sessions = await findSessions(schedule.tx, schedule.tutorId, ids);
  const timeOffRanges = await findTimeOffDuring(schedule, sessions);
  const seats = sessions.flatMap((session) =>
    session.seats
      .filter(({ state, timeOffId }) => state === 'cancelled' && timeOffId !== null)
      .filter(({ timeOffId }) => {
        const pause = timeOffRanges.find(({ id }) => id === timeOffId);
        return pause === undefined || !coversSession(pause, session);
      })
      .map(({ studentId }) => ({
        sessionId: session.id,
        studentId,
        state: 'expected' as const,
        timeOffId: null,
      })),
  );
  await updatePausedSeats(schedule.tx, schedule.tutorId, seats);
}

/** Unlinks sessions from the time off or pauses that cancelled them, so that the end of the time off does not restore them. */
export async function detachFromTimeOff(
  schedule: ScheduleTx,
  sessions: readonly SessionRecord[],
): Promise<void> {
  await detachSessions(schedule, sessions, sessions.filter(isPaused));
}

/** Sessions are linked to the tutor's time off, or to a pause that cancelled the whole session. */
export async function detachSessions(
  { tx, tutorId }: ScheduleTx,
  sessions: readonly { id: number; timeOffId: number | null }[],
  paused: readonly { id: number }[],
): Promise<void> {
  const linkedIds = sessions.filter(({ timeOffId }) => timeOffId !== null).map(({ id }) => id);
  await updateSessions(tx, tutorId, linkedIds, { time_off_id: null });
  const pausedIds = paused.map(({ id }) => id);
  await unlinkSeatsFromPauses(tx, tutorId, pausedIds);
}
