import { sql } from 'kysely';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** Addresses are compared case-insensitively. */
const hashAddress = (address: string): Buffer => sha256(address.trim().toLowerCase());

/** Identifies an address without storing it. */
export const addressHashKey = (address: string): string =>
  hashAddress(address).toString('base64url');

/** Returns false if the address has already reported the tutor. */
export async function insertAddressReport(
  tx: Tx,
  tutorId: string,
  address: string,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('address_reports')
    .values({
      address_hash: hashAddress(address),
      tutor_hash: sha256(tutorId),
      reported_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('reported_at')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Returns false if there was no report. Reports from this address about other tutors are kept. */
export async function deleteAddressReport(
  tx: Tx,
  tutorId: string,
  address: string,
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('address_reports')
    .where('address_hash', '=', hashAddress(address))
    .where('tutor_hash', '=', sha256(tutorId))
    .returning('reported_at')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The addresses with reports, keyed by `addressHashKey`: 'tutor' if a report is about this tutor, otherwise 'others'. */
export async function findAddressReports(
  tx: Tx,
  tutorId: string,
  addresses: readonly string[],
): Promise<Map<string, 'tutor' | 'others'>> {
  if (addresses.length === 0) return new Map();
  const rows = await tx
    .selectFrom('address_reports')
    .where('address_hash', '=', sql<Buffer>`any(${addresses.map(hashAddress)}::bytea[])`)
    .groupBy('address_hash')
    .select([
      'address_hash as hash',
      sql<boolean>`bool_or(tutor_hash = ${sha256(tutorId)})`.as('isAboutTutor'),
    ])
    .execute();
  return new Map(
    rows.map(({ hash, isAboutTutor }) => [
      hash.toString('base64url'),
      isAboutTutor ? 'tutor' : 'others',
    ]),
  );
}

/** Returns a row if the recipient of the email has reported the tutor. */
export const reportForMessage = (tx: Tx, tutorId: string, messageId: number) =>
  tx
    .selectFrom('messages')
    .innerJoin('address_reports', (join) =>
      join.on(
        'address_reports.address_hash',
        '=',
        sql<Buffer>`sha256(convert_to(lower(trim(messages.address)), 'UTF8'))`,
      ),
    )
    .where('messages.tutor_id', '=', tutorId)
    .where('messages.id', '=', messageId)
    .where('messages.channel', '=', 'email')
    .where('address_reports.tutor_hash', '=', sha256(tutorId))
    .select(sql<string>`'reported'`.as('reason'));
