import type { Tx } from '../../../platform/db/database.ts';
import { type SeatRef, seatsNotBillable } from '../events.ts';
import { updateInstants } from '../queries/bulk-reschedule.ts';
import { expectedSeatRefs, updateExpectedSeats, updateSeatOutcomes } from '../queries/seats.ts';
import { findSessions, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { coversSession } from '../rules/time-off.ts';
import { resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

/** Cancels sessions on behalf of the tutor. No fee is charged. */
export async function cancelWithoutFee(
  schedule: ScheduleTx,
  ids: readonly number[],
  timeOffId: number | null = null,
): Promise<void> {
  await updateSessions(schedule.tx, schedule.tutorId, ids, {
    status: 'cancelled',
    cancelled_by: 'tutor',
    time_off_id: timeOffId,
  });
  await resolveOverlaps(schedule, ids, true);
  if (ids.length === 0) return;
  const { context, tx, tutorId } = schedule;
  const seats = await expectedSeatRefs(tx, tutorId, ids);
  await context.events.publish(tx, seatsNotBillable, { tutorId, seats });
}

/** Cancels the sessions that fall within time off, as when a series is created. Returns their ids. */
export async function cancelDuringTimeOff(
  schedule: ScheduleTx,
  ids: readonly number[],
): Promise<number[]> {
  const sessions = await findSessions(schedule.tx, schedule.tutorId, ids);
  const dates = sessions.map((session) => session.date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { tx, tutorId } = schedule;
  const { rows: timeOffs } = await tx.executeQuery(timeOffBetween(tx, tutorId, first, last));
  const cancelled: number[] = [];
  for (const timeOff of timeOffs) {
    const covered = sessions
      .filter((session) => coversSession(timeOff, session))
      .map((session) => session.id)
      .filter((id) => !cancelled.includes(id));
    await cancelWithoutFee(schedule, covered, timeOff.id);
    cancelled.push(...covered);
  }
  return cancelled;
}

/** Unlinks deleted sessions from the time off that cancelled them, so that deleting the time off does not restore them. */
export async function detachFromTimeOff(
  schedule: ScheduleTx,
  sessions: readonly SessionRecord[],
): Promise<void> {
  const ids = sessions.filter((session) => session.timeOffId !== null).map(({ id }) => id);
  await updateSessions(schedule.tx, schedule.tutorId, ids, { time_off_id: null });
}

/** Sets sessions back to scheduled. Recomputes their instants, as the tutor's time zone may have changed. */
export async function restoreSessions(schedule: ScheduleTx, ids: readonly number[]): Promise<void> {
  const { tx, tutorId, timeZone } = schedule;
  const sessions = await findSessions(tx, tutorId, ids);
  await updateInstants(
    tx,
    tutorId,
    sessions.map((session) => ({ id: session.id, ...toInstants(timeZone, session) })),
  );
  await updateSessions(tx, tutorId, ids, {
    status: 'scheduled',
    cancelled_by: null,
    cancel_reason: null,
    time_off_id: null,
  });
  await updateExpectedSeats(tx, tutorId, ids, {
    is_billable: false,
    attendance: null,
    notice_minutes: null,
  });
}

/** For seats whose charges were credited in full. */
export const markNotBillable = (
  tx: Tx,
  tutorId: string,
  seats: readonly SeatRef[],
): Promise<void> =>
  updateSeatOutcomes(
    tx,
    tutorId,
    seats.map((seat) => ({ ...seat, isBillable: false, attendance: null, noticeMinutes: null })),
  );
