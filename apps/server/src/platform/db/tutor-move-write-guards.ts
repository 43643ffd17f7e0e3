import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { isTutorMoved } from './database-unavailable-errors.ts';

/* Checks for moves between installations, for code outside a tutor's transaction. */

/** True if another installation serves the tutor, so retrying a webhook here is pointless. */
export async function hasTutorMoved(tx: Tx, tutorId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('tutor_moves')
    .where('tutor_id', '=', tutorId)
    .where('state', 'in', ['moved', 'finished'])
    .select('move_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** True from the start of a move. From then on, the tutor's jobs are in the move's record instead of the queue. */
export async function isTutorMoving(tx: Tx, tutorId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('tutor_moves')
    .where('tutor_id', '=', tutorId)
    .where('state', '<>', 'active')
    .select('move_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Fails if the tutor is being moved, and delays the start of a move until this transaction has ended. For work on
 * global tables.
 */
export async function assertTutorWritable(tx: Tx, tutorId: string): Promise<void> {
  await sql`select check_tutor_writable(${tutorId}::uuid, true)`.execute(tx);
}

/**
 * For a write that is only a side effect of a read, because reads continue while a tutor is being moved. Returns
 * whether the data was written.
 */
export async function skipIfMoving(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isTutorMoved(error)) return false;
    throw error;
  }
}
