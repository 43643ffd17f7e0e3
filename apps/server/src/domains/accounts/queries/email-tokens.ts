import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { EmailTokenPurpose } from '../rules/expirations.ts';

export interface NewEmailToken {
  id: string;
  tutorId: string;
  purpose: EmailTokenPurpose;
  tokenHash: Buffer;
  email: string;
  now: Date;
  expiresAt: Date;
}

export async function insertEmailToken(tx: Tx, token: NewEmailToken): Promise<void> {
  await tx
    .insertInto('email_tokens')
    .values({
      id: token.id,
      tutor_id: token.tutorId,
      purpose: token.purpose,
      token_hash: token.tokenHash,
      email: token.email,
      created_at: token.now,
      expires_at: token.expiresAt,
    })
    .execute();
}

const unsentEmailTokens = (tx: Tx) =>
  tx
    .selectFrom('email_tokens')
    .where('sent_at', 'is', null)
    .where('used_at', 'is', null)
    .select(['id', 'purpose', 'email', 'expires_at as expiresAt']);

/** Undefined if the token has already been sent, used or revoked, or was deleted after it expired. */
export const findUnsentEmailToken = (tx: Tx, id: string) =>
  unsentEmailTokens(tx).where('id', '=', id).executeTakeFirst();

export const listUnsentEmailTokens = (
  tx: Tx,
  tutorId: string,
  purposes: readonly EmailTokenPurpose[],
) =>
  unsentEmailTokens(tx).where('tutor_id', '=', tutorId).where('purpose', 'in', purposes).execute();

export async function markEmailTokenSent(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('email_tokens').set({ sent_at: now }).where('id', '=', id).execute();
}

/** Undefined if the token has been used, has expired or is for another purpose. */
export async function findValidEmailToken(
  tx: Tx,
  purpose: EmailTokenPurpose,
  tokenHash: Buffer,
  now: Date,
) {
  return tx
    .selectFrom('email_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .select(['id', 'tutor_id as tutorId', 'email', 'created_at as createdAt'])
    .executeTakeFirst();
}

/** The tutor's links for this purpose that still work, oldest first. */
export const validEmailTokensOf = (
  tx: Tx,
  tutorId: string,
  purpose: EmailTokenPurpose,
  now: Date,
) =>
  tx
    .selectFrom('email_tokens')
    .where('tutor_id', '=', tutorId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .select(['email', 'sent_at as sentAt'])
    .execute();

/** Whether another tutor can still restore this address. */
export async function isEmailReserved(
  tx: Tx,
  emailKey: string,
  exceptTutorId: string,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .selectFrom('email_tokens')
    .where('purpose', '=', sql.lit('revert-email'))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', emailKey))
    .where('tutor_id', '<>', exceptTutorId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A single statement, so that only one of two concurrent requests succeeds. */
export async function consumeEmailToken(tx: Tx, id: string, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Called when a newer token is issued and when the password changes. */
export async function revokeEmailTokens(
  tx: Tx,
  tutorId: string,
  purpose: EmailTokenPurpose,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('tutor_id', '=', tutorId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}
