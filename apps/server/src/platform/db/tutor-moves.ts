import { sql } from 'kysely';
import { isTutorMoved } from './availability.ts';
import type { Tx } from './database.ts';

/* What has to be known of moves between installations outside a transaction of the tutor. */

/** True if another installation serves the tutor, so that repeating a webhook here is of no use. */
export async function hasTutorMoved(tx: Tx, tutorId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('tutor_moves')
    .where('tutor_id', '=', tutorId)
    .where('state', 'in', ['moved', 'finished'])
    .select('move_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** True from the start of a move; its jobs are in the record instead of the queue. */
export async function isTutorMoving(tx: Tx, tutorId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('tutor_moves')
    .where('tutor_id', '=', tutorId)
    .where('state', '<>', 'active')
    .select('move_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Fails if the tutor is moving, and makes a move that begins wait for this transaction. For work on global tables. */
export async function assertTutorWritable(tx: Tx, tutorId: string): Promise<void> {
  await sql`select check_tutor_writable(${tutorId}::uuid, true)`.execute(tx);
}

/** For writes that a read makes in passing, because reads go on while a tutor moves. Returns whether it was written. */
export async function skipWhileMoving(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isTutorMoved(error)) return false;
    throw error;
  }
}
