import { sql } from 'kysely';
import { compiledQuery } from '../db/compiled-query.ts';
import type { Tx } from '../db/database.ts';

/**
 * Jobs that run for many tutors look up which tutors are due in this global table, which contains no personal data.
 * Claiming postpones the due time instead of deleting the row, so that the work is due again if the worker dies.
 */
const CLAIM_DURATION = '5 minutes';

/** The statement of `scheduleWork`, for a batch. */
export const scheduleWorkQuery = compiledQuery((tx, tutorId: string, kind: string, dueAt: Date) =>
  tx
    .insertInto('tenant_schedule')
    .values({ tutor_id: tutorId, kind, next_due_at: dueAt })
    .onConflict((conflict) =>
      conflict.columns(['tutor_id', 'kind']).doUpdateSet({
        next_due_at: sql`least(tenant_schedule.next_due_at, excluded.next_due_at)`,
      }),
    ),
);

/** If work is already scheduled, keeps the earlier due time. */
export async function scheduleWork(
  tx: Tx,
  tutorId: string,
  kind: string,
  dueAt: Date,
): Promise<void> {
  await tx.executeQuery(scheduleWorkQuery(tx, tutorId, kind, dueAt));
}

/** Brings forward work that is already scheduled; otherwise does nothing. */
export async function scheduleEarlier(
  tx: Tx,
  tutorId: string,
  kind: string,
  dueAt: Date,
): Promise<void> {
  await tx
    .updateTable('tenant_schedule')
    .set({ next_due_at: dueAt })
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', kind)
    .where('next_due_at', '>', dueAt)
    .execute();
}

/**
 * Returns tutors whose work of this kind is due, except those who are moving to another installation. Concurrent workers get
 * different tutors. Called by forEachDueTutor.
 */
export async function claimDueTutors(
  tx: Tx,
  kind: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const claimed = await sql<{ tutor_id: string }>`
    update tenant_schedule set next_due_at = ${now}::timestamptz + ${CLAIM_DURATION}::interval
    where (tutor_id, kind) in (
      select tutor_id, kind from tenant_schedule
      where kind = ${kind} and next_due_at <= ${now}::timestamptz
        and not exists (
          select from tutor_moves m where m.tutor_id = tenant_schedule.tutor_id and m.state <> 'active')
      order by next_due_at
      limit ${limit}
      for update skip locked)
    returning tutor_id`.execute(tx);
  return claimed.rows.map((row) => row.tutor_id);
}

/**
 * Locks the row while the work runs. A concurrent scheduleWork waits, so completeWork cannot delete what it schedules.
 */
export async function lockScheduledWork(tx: Tx, tutorId: string, kind: string): Promise<void> {
  await tx
    .selectFrom('tenant_schedule')
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', kind)
    .select('next_due_at')
    .forUpdate()
    .execute();
}

/** Called under the lock once the work is done. `next` is the next due time; null removes the row. */
export async function completeWork(
  tx: Tx,
  tutorId: string,
  kind: string,
  next: Date | null,
): Promise<void> {
  if (next === null) {
    await tx
      .deleteFrom('tenant_schedule')
      .where('tutor_id', '=', tutorId)
      .where('kind', '=', kind)
      .execute();
    return;
  }
  await tx
    .updateTable('tenant_schedule')
    .set({ next_due_at: next })
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', kind)
    .execute();
}
