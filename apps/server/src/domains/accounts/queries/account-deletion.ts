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

export const ownershipProofOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('login_directory')
    .where('tutor_id', '=', tutorId)
    .select(['username_key as usernameKey', 'password_hash as passwordHash']);

/** Every table of a tutor's hangs on this row, the global ones too, and goes with it. */
export async function deleteTutor(tx: Tx, tutorId: string): Promise<void> {
  // A thick book takes longer than a request may.
  await sql`set local statement_timeout = '5min'`.execute(tx);
  await tx.deleteFrom('tutors').where('tutor_id', '=', tutorId).execute();
}
