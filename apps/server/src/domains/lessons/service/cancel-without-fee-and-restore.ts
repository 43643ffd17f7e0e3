import type { Tx } from '../../../platform/db/database.ts';
import { type SeatRef, seatsNotBillable } from '../events.ts';
import { expectedSeatRefs, updateExpectedSeats, updateSeatOutcomes } from '../queries/seats.ts';
import {
  deleteSessions,
  findSessions,
  sessionIdsWithHistory,
  updateSessions,
} from '../queries/sessions.ts';
import { updateInstants } from '../queries/update-many-session-times.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

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

/** Deletes sessions that no longer have a date in the series, or cancels those with a charge, a note or a link to a move. */
export async function removeSessions(schedule: ScheduleTx, ids: readonly number[]): Promise<void> {
  const { tx, tutorId } = schedule;
  const idsToCancel = await sessionIdsWithHistory(tx, tutorId, ids);
  await cancelWithoutFee(schedule, idsToCancel);
  await updateSessions(tx, tutorId, idsToCancel, { series_date: null });
  await deleteSessions(
    tx,
    tutorId,
    ids.filter((id) => !idsToCancel.includes(id)),
  );
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
    time_off_id: null,
  });
}

/** Used for seats whose charges were credited in full. */
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
