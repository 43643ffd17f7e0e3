import type { Tx } from '../../../platform/db/database.ts';

/* Google identities that the OAuth callback has verified, until they are used to log in, sign up or link an account. */

export type PendingIdentityPurpose = 'sign-in' | 'link';

export interface NewPendingGoogleIdentity {
  id: string;
  tokenHash: Buffer;
  browserHash: Buffer;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  hostedDomain: string | null;
  name: string;
  picture: string | null;
  expiresAt: Date;
}

export async function insertPendingIdentity(
  tx: Tx,
  identity: NewPendingGoogleIdentity,
): Promise<void> {
  await tx
    .insertInto('oauth_tickets')
    .values({
      id: identity.id,
      token_hash: identity.tokenHash,
      browser_hash: identity.browserHash,
      purpose: 'sign-in',
      subject: identity.subject,
      email: identity.email,
      email_verified: identity.emailVerified,
      hosted_domain: identity.hostedDomain,
      name: identity.name,
      picture: identity.picture,
      expires_at: identity.expiresAt,
    })
    .execute();
}

const pendingIdentitiesOf = (
  tx: Tx,
  browserHash: Buffer,
  purpose: PendingIdentityPurpose,
  now: Date,
) =>
  tx
    .selectFrom('oauth_tickets')
    .where('browser_hash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .select([
      'id',
      'subject',
      'email',
      'email_verified as emailVerified',
      'hosted_domain as hostedDomain',
      'name',
      'picture',
    ]);

export async function findLatestPendingIdentity(tx: Tx, browserHash: Buffer, now: Date) {
  return pendingIdentitiesOf(tx, browserHash, 'sign-in', now)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Undefined if the identity has expired, is for another purpose or belongs to another browser. */
export async function findPendingIdentity(
  tx: Tx,
  purpose: PendingIdentityPurpose,
  tokenHash: Buffer,
  browserHash: Buffer,
  now: Date,
) {
  return pendingIdentitiesOf(tx, browserHash, purpose, now)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

export type PendingGoogleIdentity = NonNullable<Awaited<ReturnType<typeof findPendingIdentity>>>;

/** A single statement, so that only one of two concurrent requests succeeds. */
export async function consumePendingIdentity(
  tx: Tx,
  id: string,
  purpose: PendingIdentityPurpose,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('oauth_tickets')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** The identity can no longer be used to log in, but can be linked to an account with its password. */
export async function changePurposeToLink(tx: Tx, id: string, expiresAt: Date): Promise<boolean> {
  const result = await tx
    .updateTable('oauth_tickets')
    .set({ purpose: 'link', expires_at: expiresAt })
    .where('id', '=', id)
    .where('purpose', '=', 'sign-in')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deleteExpiredPendingIdentities(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('oauth_tickets').where('expires_at', '<=', now).execute();
}
