import type { StoredPasskey } from '../../../platform/crypto/webauthn.ts';
import type { Tx } from '../../../platform/db/database.ts';

export type PasskeyPurpose = 'register' | 'login' | 'mfa' | 'reauthenticate';

const columns = [
  'credential_id as credentialId',
  'tutor_id as tutorId',
  'public_id as publicId',
  'public_key as publicKey',
  'counter',
  'transports',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const;

export const passkeysOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('passkeys')
    .where('tutor_id', '=', tutorId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .select(columns);

export async function findPasskeyByCredentialId(tx: Tx, credentialId: string) {
  return tx
    .selectFrom('passkeys')
    .where('credential_id', '=', credentialId)
    .select(columns)
    .executeTakeFirst();
}

export type PasskeyRow = NonNullable<Awaited<ReturnType<typeof findPasskeyByCredentialId>>>;

export interface NewPasskey extends StoredPasskey {
  tutorId: string;
  publicId: string;
  name: string;
  now: Date;
}

export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<void> {
  await tx
    .insertInto('passkeys')
    .values({
      credential_id: passkey.credentialId,
      tutor_id: passkey.tutorId,
      public_id: passkey.publicId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: [...passkey.transports],
      name: passkey.name,
      created_at: passkey.now,
    })
    .execute();
}

export async function updatePasskeyUsage(
  tx: Tx,
  credentialId: string,
  counter: number,
  now: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function renamePasskey(
  tx: Tx,
  tutorId: string,
  publicId: string,
  name: string,
): Promise<boolean> {
  const result = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('tutor_id', '=', tutorId)
    .where('public_id', '=', publicId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deletePasskey(tx: Tx, tutorId: string, publicId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('passkeys')
    .where('tutor_id', '=', tutorId)
    .where('public_id', '=', publicId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deletePasskeysAddedSince(
  tx: Tx,
  tutorId: string,
  since: Date,
): Promise<void> {
  await tx
    .deleteFrom('passkeys')
    .where('tutor_id', '=', tutorId)
    .where('created_at', '>=', since)
    .execute();
}

export async function insertPasskeyChallenge(
  tx: Tx,
  challenge: { hash: Buffer; purpose: PasskeyPurpose; cookieHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: challenge.hash,
      purpose: challenge.purpose,
      browser_hash: challenge.cookieHash,
      expires_at: challenge.expiresAt,
    })
    .execute();
}

/** Deletes the challenge, so that an intercepted response cannot be replayed. */
export async function consumePasskeyChallenge(
  tx: Tx,
  challenge: { hash: Buffer; purpose: PasskeyPurpose; cookieHash: Buffer },
  now: Date,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challenge.hash)
    .where('purpose', '=', challenge.purpose)
    .where('browser_hash', '=', challenge.cookieHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
