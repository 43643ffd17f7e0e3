import { sql } from 'kysely';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** Addresses are compared case-insensitively. */
export const hashAddress = (address: string): Buffer => sha256(address.trim().toLowerCase());

export async function insertAddressReport(tx: Tx, address: string, now: Date): Promise<void> {
  await tx
    .insertInto('address_reports')
    .values({ address_hash: hashAddress(address), reported_at: now })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet({ reported_at: now }))
    .execute();
}

/** Whether a recipient at one of these addresses has reported an email from any tutor. */
export async function isAnyAddressReported(tx: Tx, addresses: readonly string[]): Promise<boolean> {
  const row = await tx
    .selectFrom('address_reports')
    .where('address_hash', '=', sql<Buffer>`any(${addresses.map(hashAddress)}::bytea[])`)
    .select('reported_at')
    .executeTakeFirst();
  return row !== undefined;
}
