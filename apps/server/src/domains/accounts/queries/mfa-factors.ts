import type { Tx } from '../../../platform/db/database.ts';

/** One that has not shown a code yet is no factor. */
export const authenticatorOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('totp_credentials')
    .where('tutor_id', '=', tutorId)
    .select(['encrypted_secret as sealedSecret', 'confirmed_at as confirmedAt']);

/** A new secret in place of one that was never used; one in use stays, and false says so. */
export async function upsertUnconfirmedAuthenticator(
  tx: Tx,
  tutorId: string,
  sealedSecret: string,
  now: Date,
): Promise<boolean> {
  const put = await tx
    .insertInto('totp_credentials')
    .values({ tutor_id: tutorId, encrypted_secret: sealedSecret, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('tutor_id')
        .doUpdateSet({ encrypted_secret: sealedSecret, created_at: now, last_counter: 0 })
        .where('totp_credentials.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return put.numInsertedOrUpdatedRows === 1n;
}

/** One statement decides who uses this half minute's code: of two at the same moment, one comes too late. */
export async function consumeTotpCounter(tx: Tx, tutorId: string, step: number): Promise<boolean> {
  const spent = await tx
    .updateTable('totp_credentials')
    .set({ last_counter: step })
    .where('tutor_id', '=', tutorId)
    .where('last_counter', '<', step)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}

export async function updateAuthenticatorSecret(
  tx: Tx,
  tutorId: string,
  sealedSecret: string,
): Promise<void> {
  await tx
    .updateTable('totp_credentials')
    .set({ encrypted_secret: sealedSecret })
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
): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ tutor_id: tutorId, code_hash: hash })))
    .execute();
}

/** Gone once used: of two with the same code at the same moment, one finds none. */
export async function consumeRecoveryCode(tx: Tx, tutorId: string, hash: Buffer): Promise<boolean> {
  const spent = await tx
    .deleteFrom('recovery_codes')
    .where('tutor_id', '=', tutorId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return spent.numDeletedRows === 1n;
}

export async function deleteRecoveryCodes(tx: Tx, tutorId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('tutor_id', '=', tutorId).execute();
}

export const countRecoveryCodes = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('recovery_codes')
    .where('tutor_id', '=', tutorId)
    .select((eb) => eb.fn.countAll<number>().as('left'));
