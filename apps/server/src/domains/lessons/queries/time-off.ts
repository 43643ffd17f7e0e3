import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Policy } from '../rules/cancellation.ts';

const rangeColumns = [
  'id',
  'from_date as fromDate',
  'to_date as toDate',
  'start_time as startTime',
  'end_time as endTime',
] as const;

export interface TimeOffRange {
  id: number;
  fromDate: string;
  toDate: string;
  startTime: string | null;
  endTime: string | null;
}

/** Time off that overlaps the date range. */
export const timeOffBetween = compiledQuery((tx, tutorId: string, from: string, to: string) =>
  tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('to_date', '>=', from)
    .where('from_date', '<=', to)
    .select(rangeColumns)
    .orderBy('id'),
);

export const currentTimeOff = (tx: Tx, tutorId: string, today: string) =>
  tx
    .selectFrom('time_off')
    .where('time_off.tutor_id', '=', tutorId)
    .where('to_date', '>=', today)
    .select([...rangeColumns, 'reason'])
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
    .orderBy('id');

export async function countCurrentTimeOff(tx: Tx, tutorId: string, today: string): Promise<number> {
  const { count } = await tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('to_date', '>=', today)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertTimeOff(
  tx: Tx,
  tutorId: string,
  timeOff: TimeOffRange & { reason: string | null },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('time_off')
    .values({
      tutor_id: tutorId,
      id: timeOff.id,
      from_date: timeOff.fromDate,
      to_date: timeOff.toDate,
      start_time: timeOff.startTime,
      end_time: timeOff.endTime,
      reason: timeOff.reason,
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

/** Returns whether the row existed. */
export async function deleteTimeOffRow(tx: Tx, tutorId: string, id: number): Promise<boolean> {
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
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

export const cancellationPolicyFor = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('cancellation_policies')
    .where('tutor_id', '=', tutorId)
    .select(['notice_hours as noticeHours', 'fee_percent as feePercent']);

export async function savePolicy(tx: Tx, tutorId: string, policy: Policy): Promise<void> {
  const values = { notice_hours: policy.noticeHours, fee_percent: policy.feePercent };
  await tx
    .insertInto('cancellation_policies')
    .values({ tutor_id: tutorId, ...values })
    .onConflict((conflict) => conflict.column('tutor_id').doUpdateSet(values))
    .execute();
}
