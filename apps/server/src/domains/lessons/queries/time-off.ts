import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { TimeOffRange } from '../rules/time-off.ts';

/** A date range can contain more than `MAX_TIME_OFF` entries, because that limit does not apply to past entries. */
const MAX_LISTED = 1000;
const LATEST_DATE = '9999-12-31';

export const timeOffRangeColumns = [
  'id',
  'student_id as studentId',
  'from_date as fromDate',
  'to_date as toDate',
  'start_time as startTime',
  'end_time as endTime',
] as const;

/** The tutor's time off and the students' pauses that overlap the date range. */
export const timeOffBetween = compiledQuery(
  (tx, tutorId: string, from: string, to: string, studentIds: readonly number[]) =>
    tx
      .selectFrom('time_off')
      .where('tutor_id', '=', tutorId)
      .where('from_date', '<=', to)
      .where((eb) => eb.or([eb('to_date', 'is', null), eb('to_date', '>=', from)]))
      .where((eb) =>
        eb.or([
          eb('student_id', 'is', null),
          eb('student_id', '=', sql<number>`any(${studentIds}::int[])`),
        ]),
      )
      .select(timeOffRangeColumns)
      .orderBy('id'),
);

/** The tutor's time off that ends on or after `from` and starts on or before `to`. */
export const tutorTimeOff = (tx: Tx, tutorId: string, from: string, to = LATEST_DATE) =>
  tx
    .selectFrom('time_off')
    .where('time_off.tutor_id', '=', tutorId)
    .where('student_id', 'is', null)
    .where('to_date', '>=', from)
    .where('from_date', '<=', to)
    .select([
      'id',
      'from_date as fromDate',
      'start_time as startTime',
      'end_time as endTime',
      'reason',
    ])
    .select((eb) => eb.ref('to_date').$notNull().as('toDate'))
    .select((eb) =>
      eb
        .selectFrom('sessions')
        .whereRef('sessions.tutor_id', '=', 'time_off.tutor_id')
        .whereRef('sessions.time_off_id', '=', 'time_off.id')
        .where('sessions.status', '=', sql.lit('cancelled'))
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('restorableSessions'),
    )
    .orderBy('from_date')
    .orderBy('id')
    .limit(MAX_LISTED);

export async function countCurrentTimeOff(tx: Tx, tutorId: string, today: string): Promise<number> {
  const { count } = await tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('student_id', 'is', null)
    .where('to_date', '>=', today)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertTimeOff(
  tx: Tx,
  tutorId: string,
  timeOff: TimeOffRange & { reason: string | null; isDeparture?: boolean },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('time_off')
    .values({
      tutor_id: tutorId,
      id: timeOff.id,
      student_id: timeOff.studentId,
      from_date: timeOff.fromDate,
      to_date: timeOff.toDate,
      start_time: timeOff.startTime,
      end_time: timeOff.endTime,
      reason: timeOff.reason,
      is_departure: timeOff.isDeparture ?? false,
      created_at: now,
    })
    .execute();
}

/** Sessions cancelled by the time off. */
export async function sessionIdsCancelledByTimeOff(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('time_off_id', '=', id)
    .where('status', '=', sql.lit('cancelled'))
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function updateTimeOffDates(
  tx: Tx,
  tutorId: string,
  id: number,
  { fromDate, toDate }: Pick<TimeOffRange, 'fromDate' | 'toDate'>,
): Promise<void> {
  await tx
    .updateTable('time_off')
    .set({ from_date: fromDate, to_date: toDate })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Deletes time off of the tutor, or the pause of a student. Returns whether the row existed. */
export async function deleteTimeOffRow(
  tx: Tx,
  tutorId: string,
  id: number,
  studentId: number | null,
): Promise<boolean> {
  await tx
    .updateTable('session_students')
    .set({ time_off_id: null })
    .where('tutor_id', '=', tutorId)
    .where('time_off_id', '=', id)
    .execute();
  await tx
    .updateTable('sessions')
    .set({ time_off_id: null })
    .where('tutor_id', '=', tutorId)
    .where('time_off_id', '=', id)
    .execute();
  const deleted = await tx
    .deleteFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('student_id', 'is not distinct from', studentId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}
