import type { Tx } from '../../../platform/db/database.ts';

/* Codes with which a visitor signs in, or a signed-in contact confirms a new email address. A global table. */

export async function insertCode(
  tx: Tx,
  code: {
    id: string;
    requestHash: Buffer;
    address: string;
    isKnown: boolean;
    attempts: number;
    now: Date;
    expiresAt: Date;
    /** For a code that confirms a new address: the contact, and the login that requested it. */
    change?: { publicId: string; loginId: string };
  },
): Promise<void> {
  await tx
    .insertInto('portal_codes')
    .values({
      id: code.id,
      request_hash: code.requestHash,
      address: code.address,
      is_known: code.isKnown,
      attempts_left: code.attempts,
      created_at: code.now,
      expires_at: code.expiresAt,
      contact_public_id: code.change?.publicId ?? null,
      login_id: code.change?.loginId ?? null,
    })
    .execute();
}

/**
 * Counts the attempt. A sign-in code cannot confirm an address, and vice versa. The row stays locked until the transaction
 * ends, so that concurrent attempts wait for it.
 */
export const consumeCodeAttempt = (
  tx: Tx,
  requestHash: Buffer,
  now: Date,
  change: { publicId: string; loginId: string } | null = null,
) =>
  tx
    .updateTable('portal_codes')
    .set((eb) => ({ attempts_left: eb('attempts_left', '-', 1) }))
    .where('request_hash', '=', requestHash)
    .where('contact_public_id', 'is not distinct from', change?.publicId ?? null)
    .where('login_id', 'is not distinct from', change?.loginId ?? null)
    .where('attempts_left', '>', 0)
    .where('expires_at', '>', now)
    .returning(['id', 'address', 'is_known as isKnown'])
    .executeTakeFirst();

export async function deleteCode(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('portal_codes').where('id', '=', id).execute();
}

export const findUnsentCode = (tx: Tx, id: string) =>
  tx
    .selectFrom('portal_codes')
    .where('id', '=', id)
    .where('is_known', '=', true)
    .where('sent_at', 'is', null)
    .select(['id', 'address', 'expires_at as expiresAt', 'contact_public_id as contactPublicId'])
    .executeTakeFirst();

export async function markCodeSent(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('portal_codes').set({ sent_at: now }).where('id', '=', id).execute();
}

/** Returns false if the code has been used. The row is kept until the owner of the previous address has been informed. */
export async function markCodeUsed(
  tx: Tx,
  id: string,
  {
    now,
    previousAddress,
    keepUntil,
  }: { now: Date; previousAddress: string | null; keepUntil: Date },
): Promise<boolean> {
  const result = await tx
    .updateTable('portal_codes')
    .set({ used_at: now, previous_address: previousAddress, expires_at: keepUntil })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export const findPreviousAddress = (tx: Tx, codeId: string) =>
  tx
    .selectFrom('portal_codes')
    .where('id', '=', codeId)
    .where('previous_address', 'is not', null)
    .select('previous_address as address')
    .executeTakeFirst();

export async function deletePreviousAddress(tx: Tx, codeId: string): Promise<void> {
  await tx
    .updateTable('portal_codes')
    .set({ previous_address: null })
    .where('id', '=', codeId)
    .execute();
}
