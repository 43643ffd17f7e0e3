import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export interface NewLogin {
  tokenHash: Buffer;
  tutorId: string;
  publicId: string;
  userAgent: string;
  now: Date;
  expiresAt: Date;
}

export async function insertLogin(tx: Tx, login: NewLogin): Promise<void> {
  await tx
    .insertInto('logins')
    .values({
      token_hash: login.tokenHash,
      tutor_id: login.tutorId,
      public_id: login.publicId,
      user_agent: login.userAgent,
      created_at: login.now,
      last_seen_at: login.now,
      reauthenticated_at: login.now,
      expires_at: login.expiresAt,
    })
    .execute();
}

const activeLoginQuery = compiledQuery((tx, tokenHash: Buffer, now: Date) =>
  tx
    .selectFrom('logins')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .select([
      'tutor_id as tutorId',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
      'reauthenticated_at as reauthenticatedAt',
    ]),
);

export async function findLoginByToken(tx: Tx, tokenHash: Buffer, now: Date) {
  const { rows } = await tx.executeQuery(activeLoginQuery(tx, tokenHash, now));
  return rows[0];
}

/** Also records that the tutor was active. */
export async function updateLoginLastSeen(
  tx: Tx,
  { tutorId, tokenHash }: { tutorId: string; tokenHash: Buffer },
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await tx
    .updateTable('logins')
    .set({ last_seen_at: now, expires_at: expiresAt })
    .where('token_hash', '=', tokenHash)
    .execute();
  await setLastActive(tx, tutorId, now);
}

/** Does nothing if another request has already set a later time. */
export async function setLastActive(tx: Tx, tutorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('login_directory')
    .set({ last_active_at: now })
    .where('tutor_id', '=', tutorId)
    .where('last_active_at', '<', now)
    .execute();
}

export async function deleteLogin(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('logins').where('token_hash', '=', tokenHash).execute();
}

export async function deleteAllLogins(tx: Tx, tutorId: string): Promise<void> {
  await tx.deleteFrom('logins').where('tutor_id', '=', tutorId).execute();
}

export const activeLoginsOf = (tx: Tx, tutorId: string, now: Date) =>
  tx
    .selectFrom('logins')
    .where('tutor_id', '=', tutorId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .select([
      'public_id as publicId',
      'token_hash as tokenHash',
      'user_agent as userAgent',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
    ]);

export async function deleteLoginByPublicId(
  tx: Tx,
  tutorId: string,
  publicId: string,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('logins')
    .where('tutor_id', '=', tutorId)
    .where('public_id', '=', publicId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteOtherLogins(
  tx: Tx,
  tutorId: string,
  tokenHash: Buffer,
): Promise<number> {
  const result = await tx
    .deleteFrom('logins')
    .where('tutor_id', '=', tutorId)
    .where('token_hash', '<>', tokenHash)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes all but the most recently used logins. */
export async function deleteLeastRecentLogins(
  tx: Tx,
  tutorId: string,
  keep: number,
): Promise<void> {
  await tx
    .deleteFrom('logins')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('logins')
        .where('tutor_id', '=', tutorId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(keep)
        .select('token_hash'),
    )
    .execute();
}

export async function loginExists(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('logins')
    .where('token_hash', '=', tokenHash)
    .select('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the login no longer exists. */
export async function markReauthenticated(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('logins')
    .set({ reauthenticated_at: now })
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns the earliest expiry of the tutor's remaining logins and tokens, or null if there are none. */
export async function deleteExpiredLoginsAndEmailTokens(
  tx: Tx,
  tutorId: string,
  now: Date,
): Promise<Date | null> {
  await tx
    .deleteFrom('logins')
    .where('tutor_id', '=', tutorId)
    .where('expires_at', '<=', now)
    .execute();
  await tx
    .deleteFrom('email_tokens')
    .where('tutor_id', '=', tutorId)
    .where('expires_at', '<=', now)
    .execute();
  const row = await tx
    .selectFrom((inner) =>
      inner
        .selectFrom('logins')
        .where('tutor_id', '=', tutorId)
        .select('expires_at')
        .unionAll((union) =>
          union.selectFrom('email_tokens').where('tutor_id', '=', tutorId).select('expires_at'),
        )
        .as('remaining'),
    )
    .select((eb) => eb.fn.min('remaining.expires_at').as('next'))
    .executeTakeFirst();
  return row?.next ?? null;
}
