import { sql } from 'kysely';
import { compiledQuery } from '../db/compiled-query.ts';
import type { Tx } from '../db/database.ts';

/**
 * Work across tutors finds its tutors here, without personal data and without looking into anyone's rows.
 * A claim moves the due time forward instead of deleting the row: if the worker dies, the work comes up again.
 */
const CLAIM_DURATION = '5 minutes';

const upsertDueTime = compiledQuery((tx, tutorId: string, kind: string, dueAt: Date) =>
  tx
    .insertInto('tenant_schedule')
    .values({ tutor_id: tutorId, kind, next_due_at: dueAt })
    .onConflict((conflict) =>
      conflict.columns(['tutor_id', 'kind']).doUpdateSet({
        next_due_at: sql`least(tenant_schedule.next_due_at, excluded.next_due_at)`,
      }),
    ),
);

/** The earliest of the wishes counts. */
export async function scheduleWork(
  tx: Tx,
  tutorId: string,
  kind: string,
  dueAt: Date,
): Promise<void> {
  await tx.executeQuery(upsertDueTime(tx, tutorId, kind, dueAt));
}

/** Looks at a tutor sooner than planned; one who is not on the agenda stays off it. */
export async function scheduleEarlier(
  tx: Tx,
  tutorId: string,
  kind: string,
  to: Date,
): Promise<void> {
  await tx
    .updateTable('tenant_schedule')
    .set({ next_due_at: to })
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', kind)
    .where('next_due_at', '>', to)
    .execute();
}

/** Tutors whose work of this kind is due; several workers that ask at once get different ones. */
export async function claimDue(tx: Tx, kind: string, now: Date, atMost: number): Promise<string[]> {
  const claimed = await sql<{ tutor_id: string }>`
    update tenant_schedule set next_due_at = ${now}::timestamptz + ${CLAIM_DURATION}::interval
    where (tutor_id, kind) in (
      select tutor_id, kind from tenant_schedule
      where kind = ${kind} and next_due_at <= ${now}::timestamptz
      order by next_due_at
      limit ${atMost}
      for update skip locked)
    returning tutor_id`.execute(tx);
  return claimed.rows.map((row) => row.tutor_id);
}

/** Held while the work is done: a new wish waits and is then added, instead of being settled away. */
export async function lockSchedule(tx: Tx, tutorId: string, kind: string): Promise<void> {
  await tx
    .selectFrom('tenant_schedule')
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', kind)
    .select('next_due_at')
    .forUpdate()
    .execute();
}

/** Called under the lock when the work is done: due again at `next`, or not at all. */
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
