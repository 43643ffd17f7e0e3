import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

export async function setDeletionScheduledAt(
  tx: Tx,
  tutorId: string,
  at: Date | null,
): Promise<void> {
  await tx
    .updateTable('tutors')
    .set({ deletion_scheduled_at: at })
    .where('tutor_id', '=', tutorId)
    .execute();
}

/** Cascades to every table with a tutor_id, including global tables. */
export async function deleteTutor(tx: Tx, tutorId: string): Promise<void> {
  // Deleting a large account takes longer than the default timeout.
  await sql`set local statement_timeout = '5min'`.execute(tx);
  await tx.deleteFrom('tutors').where('tutor_id', '=', tutorId).execute();
}
