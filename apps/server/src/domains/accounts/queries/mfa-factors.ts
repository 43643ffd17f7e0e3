import type { Tx } from '../../../platform/db/database.ts';

/** An authenticator without `confirmedAt` does not count as a factor yet. */
export const authenticatorOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('totp_credentials')
    .where('tutor_id', '=', tutorId)
    .select(['encrypted_secret as encryptedSecret', 'confirmed_at as confirmedAt']);

/** Inserts or replaces an unconfirmed secret. Keeps a confirmed one and returns false. */
export async function upsertUnconfirmedAuthenticator(
  tx: Tx,
  tutorId: string,
  encryptedSecret: string,
  now: Date,
): Promise<boolean> {
  const result = await tx
    .insertInto('totp_credentials')
    .values({ tutor_id: tutorId, encrypted_secret: encryptedSecret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('tutor_id')
        .doUpdateSet({ encrypted_secret: encryptedSecret, created_at: now, last_counter: 0 })
        .where('totp_credentials.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** A single statement, so that only one of two concurrent requests can use the code for a time step. */
export async function consumeTotpCounter(
  tx: Tx,
  tutorId: string,
  counter: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('totp_credentials')
    .set({ last_counter: counter })
    .where('tutor_id', '=', tutorId)
    .where('last_counter', '<', counter)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function updateAuthenticatorSecret(
  tx: Tx,
  tutorId: string,
  encryptedSecret: string,
): Promise<void> {
  await tx
    .updateTable('totp_credentials')
    .set({ encrypted_secret: encryptedSecret })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function confirmAuthenticator(tx: Tx, tutorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('totp_credentials')
    .set({ confirmed_at: now })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function deleteAuthenticator(
  tx: Tx,
  tutorId: string,
  addedSince?: Date,
): Promise<boolean> {
  let query = tx.deleteFrom('totp_credentials').where('tutor_id', '=', tutorId);
  if (addedSince) query = query.where('created_at', '>=', addedSince);
  return (await query.executeTakeFirst()).numDeletedRows === 1n;
}

export async function insertRecoveryCodes(
  tx: Tx,
  tutorId: string,
  hashes: readonly Buffer[],
  now: Date,
): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ tutor_id: tutorId, code_hash: hash, created_at: now })))
    .execute();
}

/** Deletes the code, so that only one of two concurrent requests succeeds. */
export async function consumeRecoveryCode(tx: Tx, tutorId: string, hash: Buffer): Promise<boolean> {
  const result = await tx
    .deleteFrom('recovery_codes')
    .where('tutor_id', '=', tutorId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteRecoveryCodes(
  tx: Tx,
  tutorId: string,
  createdSince?: Date,
): Promise<void> {
  let query = tx.deleteFrom('recovery_codes').where('tutor_id', '=', tutorId);
  if (createdSince) query = query.where('created_at', '>=', createdSince);
  await query.execute();
}

/** A tutor's codes are all created at the same time. */
export const recoveryCodesOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('recovery_codes')
    .where('tutor_id', '=', tutorId)
    .select((eb) => [eb.fn.countAll<number>().as('left'), eb.fn.min('created_at').as('createdAt')]);
