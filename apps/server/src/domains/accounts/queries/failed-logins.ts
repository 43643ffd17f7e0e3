import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** `accountKey`: the tutor's id, or a hash if the username is unknown, so that both cases take the same time. */
export async function recordFailedLogin(tx: Tx, accountKey: string, now: Date): Promise<void> {
  await tx
    .insertInto('failed_logins')
    .values({ account_key: accountKey, count: 1, last_failed_at: now })
    .onConflict((conflict) =>
      conflict.column('account_key').doUpdateSet({
        count: sql`failed_logins.count + 1`,
        last_failed_at: sql`excluded.last_failed_at`,
      }),
    )
    .execute();
}

/** Returns and deletes the failed attempts since the last successful login. */
export async function popFailedLogins(
  tx: Tx,
  tutorId: string,
): Promise<{ count: number; lastFailedAt: Date } | undefined> {
  return tx
    .deleteFrom('failed_logins')
    .where('account_key', '=', tutorId)
    .returning(['count', 'last_failed_at as lastFailedAt'])
    .executeTakeFirst();
}

export async function deleteFailedLoginsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('failed_logins').where('last_failed_at', '<', before).execute();
}
