import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { isInUse } from './email-or-phone-in-use.ts';

/** Returns the numbers ('+' followed by digits) whose owners have consented. */
export async function findConsentedNumbers(
  tx: Tx,
  tutorId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await tx
    .selectFrom('whatsapp_consents')
    .where('tutor_id', '=', tutorId)
    .where('address', '=', sql<string>`any(${addresses}::text[])`)
    .where('ended_at', 'is', null)
    .select('address')
    .execute();
  return new Set(rows.map((row) => row.address));
}

export const activeConsents = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('whatsapp_consents')
    .where('tutor_id', '=', tutorId)
    .where('ended_at', 'is', null)
    .select(['address', 'name', 'wording', 'given_at as givenAt'])
    .orderBy('name')
    .orderBy('address');

/** Leaves an active consent unchanged and renews one that has been withdrawn. */
export async function saveConsent(
  tx: Tx,
  tutorId: string,
  consent: { address: string; name: string; wording: string; now: Date },
): Promise<void> {
  const { address, name, wording, now } = consent;
  const columns = { name, wording, given_at: now, ended_at: null };
  await tx
    .insertInto('whatsapp_consents')
    .values({ tutor_id: tutorId, address, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['tutor_id', 'address'])
        .doUpdateSet(columns)
        .where('whatsapp_consents.ended_at', 'is not', null),
    )
    .execute();
}

export async function endConsent(
  tx: Tx,
  tutorId: string,
  address: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('whatsapp_consents')
    .set({ ended_at: now })
    .where('tutor_id', '=', tutorId)
    .where('address', '=', address)
    .where('ended_at', 'is', null)
    .execute();
}

/** Used when someone has replaced a number. The consent stays if another person still has the number. */
export async function endUnusedConsent(
  tx: Tx,
  tutorId: string,
  address: string,
  now: Date,
): Promise<void> {
  await sql`update whatsapp_consents a set ended_at = ${now}::timestamptz
    where a.tutor_id = ${tutorId}::uuid and a.address = ${address} and a.ended_at is null
      and not ${isInUse}`.execute(tx);
}

/** Numbers that have opted out. If STOP and START arrive in the same second, STOP wins. */
const activeOptOuts = (tx: Tx) =>
  tx
    .selectFrom('whatsapp_opt_outs')
    .where('opted_out_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('opted_in_at', 'is', null), eb('opted_in_at', '<=', eb.ref('opted_out_at'))]),
    );

/** Null if the number has not opted out. */
export async function findOptOutTime(tx: Tx, numberHash: Buffer): Promise<Date | null> {
  const row = await activeOptOuts(tx)
    .where('number_hash', '=', numberHash)
    .select('opted_out_at')
    .executeTakeFirst();
  return row?.opted_out_at ?? null;
}

/** Returns the hashes of the numbers that have opted out, in hexadecimal. */
export async function findOptedOutHashes(
  tx: Tx,
  numberHashes: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await activeOptOuts(tx)
    .where('number_hash', '=', sql<Buffer>`any(${numberHashes}::bytea[])`)
    .select('number_hash')
    .execute();
  return new Set(rows.map((row) => row.number_hash.toString('hex')));
}

/** Keeps the latest time of each keyword, because webhooks can arrive in any order. */
export async function saveOptOutKeyword(
  tx: Tx,
  numberHash: Buffer,
  keyword: 'stop' | 'start',
  at: Date,
): Promise<void> {
  const column = keyword === 'stop' ? 'opted_out_at' : 'opted_in_at';
  await tx
    .insertInto('whatsapp_opt_outs')
    .values({ number_hash: numberHash, [column]: at })
    .onConflict((conflict) =>
      conflict.column('number_hash').doUpdateSet({
        [column]: sql<Date>`greatest(whatsapp_opt_outs.${sql.ref(column)}, ${at}::timestamptz)`,
      }),
    )
    .execute();
}

export async function saveDeliveryStatuses(
  tx: Tx,
  tutorId: string,
  updates: readonly { message: { id: number }; state: string; vendorId: string }[],
  now: Date,
): Promise<void> {
  await sql`
    update messages m set state = n.state, vendor_id = n.vendor_id, failure_reason = null, sent_at = coalesce(m.sent_at, ${now}::timestamptz)
    from unnest(${updates.map(({ message }) => message.id)}::int[], ${updates.map(({ state }) => state)}::text[],
      ${updates.map(({ vendorId }) => vendorId)}::text[]) as n(id, state, vendor_id)
    where m.tutor_id = ${tutorId}::uuid and m.id = n.id`.execute(tx);
}
