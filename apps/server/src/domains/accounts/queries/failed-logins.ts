import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** One more wrong password; `subject` is the tutor's id, or a hash of a name that nobody has, so that both take as long. */
export async function recordFailedLogin(tx: Tx, subject: string, now: Date): Promise<void> {
  await tx
    .insertInto('failed_logins')
    .values({ account_key: subject, count: 1, last_failed_at: now })
    .onConflict((conflict) =>
      conflict.column('account_key').doUpdateSet({
        count: sql`failed_logins.count + 1`,
        last_failed_at: sql`excluded.last_failed_at`,
      }),
    )
    .execute();
}

/** How many there were since somebody last came in, told once. */
export async function popFailedLogins(
  tx: Tx,
  tutorId: string,
): Promise<{ count: number; lastAt: Date } | undefined> {
  return tx
    .deleteFrom('failed_logins')
    .where('account_key', '=', tutorId)
    .returning(['count', 'last_failed_at as lastAt'])
    .executeTakeFirst();
}

export async function deleteFailedLoginsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('failed_logins').where('last_failed_at', '<', before).execute();
}
