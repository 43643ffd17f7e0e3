import type { Overlap } from '@lessonbook/contract/errors';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { dateInZone } from '@lessonbook/contract/time';
import type { TimeOff, TimeOffInput } from '@lessonbook/contract/time-off';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { readTimeZone } from '../../accounts/service/profile/profile.ts';
import { scheduledInRange, toSessionRow } from '../queries/session-rows.ts';
import { findSessions } from '../queries/sessions.ts';
import {
  currentTimeOff,
  deleteTimeOffRow,
  insertTimeOff,
  sessionsOfTimeOff,
  timeOffBetween,
} from '../queries/time-off.ts';
import { coversSession } from '../rules/time-off.ts';
import { cancelWithoutFee } from './delete-lesson.ts';
import { restoreSessions } from './reopen-session.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

export async function listTimeOff(context: Context, tutorId: string): Promise<TimeOff[]> {
  const timeZone = await readTimeZone(context, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [currentTimeOff(tx, tutorId, today)]);
  return rows.map((row) => ({ ...row, cancelled: row.cancelled ?? 0 }));
}

/** What would be called off: the tutor ticks which. */
export async function previewTimeOff(
  context: Context,
  tutorId: string,
  input: TimeOffInput,
): Promise<SessionRow[]> {
  const range = parseRange(input);
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    scheduledInRange(tx, tutorId, range),
  ]);
  return rows.map(toSessionRow);
}

/** Half-term in one act: the ticked sessions inside are cancelled by the tutor, free; series made later skip it. */
export async function createTimeOff(
  context: Context,
  tutorId: string,
  input: TimeOffInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<TimeOff> {
  return changeSchedule(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const range = parseRange(input);
      const inside = await scheduledInRange(schedule.tx, tutorId, range).execute();
      const requested = new Set(input.cancelSessionIds);
      const ids = inside.map((row) => row.id).filter((id) => requested.has(id));
      if (ids.length !== requested.size) {
        throw new AppError('conflict', 'The sessions inside have changed. Please look again.');
      }
      const [id] = (await nextIds(schedule.tx, tutorId, 'time-off')) as [number];
      const off = { id, ...range, reason: input.reason || null };
      await insertTimeOff(schedule.tx, tutorId, off, schedule.now);
      await cancelWithoutFee(schedule, ids, id);
      return { ...off, cancelled: ids.length };
    }),
  );
}

function parseRange(input: TimeOffInput) {
  const { fromDate, toDate } = input;
  const [startTime, endTime] = [input.startTime || null, input.endTime || null];
  if ((startTime === null) !== (endTime === null)) {
    const message = 'Please give both times, or neither';
    throw new AppError('invalid', message, {
      fields: { [startTime ? 'endTime' : 'startTime']: message },
    });
  }
  if (startTime !== null && endTime !== null && endTime <= startTime) {
    const message = 'End time must be after start time';
    throw new AppError('invalid', message, { fields: { endTime: message } });
  }
  return { fromDate, toDate, startTime, endTime };
}

/** Sessions that a changed series would put into time off are called off by it, as those of a new one are. */
export async function cancelDuringTimeOff(
  schedule: ScheduleTx,
  ids: readonly number[],
): Promise<number[]> {
  const sessions = await findSessions(schedule.tx, schedule.tutorId, ids);
  const dates = sessions.map((session) => session.date).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const timeOffs = await timeOffBetween(schedule.tx, schedule.tutorId, first, last);
  const skipped: number[] = [];
  for (const off of timeOffs) {
    const inside = sessions
      .filter((session) => coversSession(off, session))
      .map((session) => session.id);
    const fresh = inside.filter((id) => !skipped.includes(id));
    await cancelWithoutFee(schedule, fresh, off.id);
    skipped.push(...fresh);
  }
  return skipped;
}

/** Restoring never asks twice: what overlaps by now is accepted, and said; what other time off covers stays off. */
export async function deleteTimeOff(
  context: Context,
  tutorId: string,
  id: number,
  shouldRestore: boolean,
): Promise<{ restored: number; sessionIds: number[]; overlaps: Overlap[] }> {
  return changeSchedule(context, tutorId, async (schedule) => {
    const ids = shouldRestore ? await sessionsOfTimeOff(schedule.tx, tutorId, id) : [];
    if (!(await deleteTimeOffRow(schedule.tx, tutorId, id))) {
      throw new AppError('not_found', 'That time off is not in your book.');
    }
    await restoreSessions(schedule, ids);
    const skipped = await cancelDuringTimeOff(schedule, ids);
    const restoredIds = ids.filter((one) => !skipped.includes(one));
    const overlaps = await resolveOverlaps(schedule, restoredIds, true);
    return { restored: restoredIds.length, sessionIds: restoredIds, overlaps };
  });
}
