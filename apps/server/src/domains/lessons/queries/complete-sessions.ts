import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Completes sessions in one statement. Null notes leave the session's notes unchanged. */
export async function updateCompletedSessions(
  tx: Tx,
  tutorId: string,
  completions: readonly { id: number; notes: string | null }[],
): Promise<void> {
  await sql`
    update sessions s set status = 'completed', notes = coalesce(c.notes, s.notes)
    from unnest(${completions.map(({ id }) => id)}::int[], ${completions.map(({ notes }) => notes)}::text[]) as c(id, notes)
    where s.tutor_id = ${tutorId}::uuid and s.id = c.id`.execute(tx);
}
