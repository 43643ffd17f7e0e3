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

export async function insertEmailToken(tx: Tx, link: NewEmailToken): Promise<void> {
  await tx
    .insertInto('email_tokens')
    .values({
      id: link.id,
      tutor_id: link.tutorId,
      purpose: link.purpose,
      token_hash: link.tokenHash,
      email: link.email,
      created_at: link.now,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** Null when it no longer needs to go: sent, used or run out. */
export async function findUnsentEmailToken(tx: Tx, id: string, now: Date) {
  return tx
    .selectFrom('email_tokens')
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .select(['id', 'purpose', 'email'])
    .executeTakeFirst();
}

export async function markEmailTokenSent(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('email_tokens').set({ sent_at: now }).where('id', '=', id).execute();
}

/** Whose link this is, if it can still be used. A token of another purpose is not found. */
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
    .select(['id', 'tutor_id as tutorId', 'email'])
    .executeTakeFirst();
}

/** One statement decides who spends it: of two at the same moment, one finds it used. */
export async function consumeEmailToken(tx: Tx, id: string, now: Date): Promise<boolean> {
  const spent = await tx
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}

/** A newer link, or a password that has just been changed, ends the older links. */
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
