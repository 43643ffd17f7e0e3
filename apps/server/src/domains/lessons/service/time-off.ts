import type { Overlap } from '@lessonbook/contract/errors';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { dateInZone } from '@lessonbook/contract/time';
import {
  MAX_TIME_OFF,
  MAX_TIME_OFF_SESSIONS,
  type TimeOff,
  type TimeOffInput,
  type TimeOffQuery,
} from '@lessonbook/contract/time-off';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { scheduledSessionsInRange, toSessionRows } from '../queries/session-list-and-details.ts';
import {
  countCurrentTimeOff,
  deleteTimeOffRow,
  insertTimeOff,
  sessionIdsCancelledByTimeOff,
  tutorTimeOff,
} from '../queries/time-off.ts';
import type { TimeOffRange } from '../rules/time-off.ts';
import { cancelDuringTimeOff } from './apply-and-lift-time-off.ts';
import { cancelWithoutFee, restoreSessions } from './cancel-without-fee-and-restore.ts';
import { assertRange } from './read.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

export async function listTimeOff(
  context: Context,
  tutorId: string,
  { from, to }: TimeOffQuery,
): Promise<TimeOff[]> {
  if (from !== undefined && to !== undefined) assertRange(from, to);
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    const rows = await tutorTimeOff(tx, tutorId, from ?? today, to).execute();
    return rows.map((row) => ({ ...row, restorableSessions: row.restorableSessions ?? 0 }));
  });
}

/** The scheduled sessions within the range. The tutor selects which of them to cancel. */
export async function previewTimeOff(
  context: Context,
  tutorId: string,
  input: TimeOffInput,
): Promise<SessionRow[]> {
  const range = parseRange(input);
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    scheduledSessionsInRange(tx, tutorId, range).limit(MAX_TIME_OFF_SESSIONS + 1),
  ]);
  if (rows.length > MAX_TIME_OFF_SESSIONS) {
    throw new AppError(
      'invalid',
      'There are too many lessons in this period. Please choose a shorter one.',
    );
  }
  return toSessionRows(rows);
}

/** Cancels the selected sessions without a fee. In series created later, sessions during the time off are cancelled. */
export async function createTimeOff(
  context: Context,
  tutorId: string,
  input: TimeOffInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<TimeOff> {
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const range = parseRange(input);
      const inRange = await scheduledSessionsInRange(schedule.tx, tutorId, range).execute();
      const requested = new Set(input.cancelSessionIds);
      const ids = [...new Set(inRange.map((row) => row.id))].filter((id) => requested.has(id));
      if (ids.length !== requested.size) {
        throw new AppError(
          'conflict',
          'The lessons in this period have changed. Please check again.',
        );
      }
      const timeOff = { ...range, reason: input.reason || null };
      const id = await addTimeOff(schedule, timeOff);
      await cancelWithoutFee(schedule, ids, id);
      return { id, ...timeOff, restorableSessions: ids.length };
    }),
  );
}

/** Stores the tutor's time off and returns its id. Cancels no sessions. */
export async function addTimeOff(
  { tx, tutorId, now, today }: ScheduleTx,
  timeOff: Omit<TimeOffRange, 'id' | 'studentId'> & { reason: string | null },
): Promise<number> {
  if ((await countCurrentTimeOff(tx, tutorId, today)) >= MAX_TIME_OFF) {
    throw new AppError(
      'conflict',
      `You can have up to ${MAX_TIME_OFF} entries of time off. Please delete one first.`,
    );
  }
  const [id] = (await nextIdsForKind(tx, tutorId, 'time-off')) as [number];
  await insertTimeOff(tx, tutorId, { id, studentId: null, ...timeOff }, now);
  return id;
}

function parseRange(input: TimeOffInput) {
  const { fromDate, toDate } = input;
  const [startTime, endTime] = [input.startTime || null, input.endTime || null];
  if ((startTime === null) !== (endTime === null)) {
    const message = 'Please enter both times, or neither';
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

/** Accepts and returns any overlaps of restored sessions. Sessions also covered by other time off stay cancelled. */
export async function deleteTimeOff(
  context: Context,
  tutorId: string,
  id: number,
  shouldRestore: boolean,
): Promise<{ restored: number; sessionIds: number[]; overlaps: Overlap[] }> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const ids = shouldRestore ? await sessionIdsCancelledByTimeOff(schedule.tx, tutorId, id) : [];
    if (!(await deleteTimeOffRow(schedule.tx, tutorId, id, null))) {
      throw new AppError('not_found', "We couldn't find that time off.");
    }
    await restoreSessions(schedule, ids);
    const stillCancelled = await cancelDuringTimeOff(schedule, ids);
    const restoredIds = ids.filter((sessionId) => !stillCancelled.includes(sessionId));
    const overlaps = await resolveOverlaps(schedule, restoredIds, true);
    return { restored: restoredIds.length, sessionIds: restoredIds, overlaps };
  });
}
