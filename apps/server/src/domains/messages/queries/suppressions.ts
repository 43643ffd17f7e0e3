import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { reportForMessage } from './recipient-reports-of-unwanted-email.ts';
import { normalizeAddress, optOutForMessage } from './reminder-opt-outs.ts';

export async function hasBounced(
  tx: Tx,
  tutorId: string,
  channel: string,
  address: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('suppressions')
    .where('tutor_id', '=', tutorId)
    .where('channel', '=', channel)
    .where('address', '=', normalizeAddress(address))
    .select('reason')
    .executeTakeFirst();
  return row !== undefined;
}

/** 'bounced', 'stopped' or 'reported', each at most once. */
export const suppressionsForMessage = (tx: Tx, tutorId: string, messageId: number) =>
  tx
    .selectFrom('suppressions')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tutor_id', '=', 'suppressions.tutor_id')
        .onRef('messages.channel', '=', 'suppressions.channel')
        .on('suppressions.address', '=', sql<string>`lower(trim(messages.address))`),
    )
    .where('suppressions.tutor_id', '=', tutorId)
    .where('messages.id', '=', messageId)
    .select('suppressions.reason')
    .unionAll(optOutForMessage(tx, tutorId, messageId))
    .unionAll(reportForMessage(tx, tutorId, messageId));

/** Identifies an address on a channel, such as 'email ruth@example.com'. */
export const suppressionKey = ({ channel, address }: { channel: string; address: string }) =>
  `${channel} ${normalizeAddress(address)}`;

/** Returns the suppressionKey of each of the given addresses that has bounced. */
export async function findBouncedAddresses(
  tx: Tx,
  tutorId: string,
  addresses: readonly { channel: string; address: string }[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('suppressions')
    .where('tutor_id', '=', tutorId)
    .where(
      'address',
      '=',
      sql<string>`any(${addresses.map((each) => normalizeAddress(each.address))}::text[])`,
    )
    .select(['channel', 'address'])
    .execute();
  return new Set(rows.map(suppressionKey));
}

export async function suppressBounced(
  tx: Tx,
  tutorId: string,
  { channel, address, now }: { channel: string; address: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('suppressions')
    .values({
      tutor_id: tutorId,
      channel,
      address: normalizeAddress(address),
      reason: 'bounced',
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'channel', 'address']).doNothing())
    .execute();
}

export async function liftBounceSuppression(
  tx: Tx,
  tutorId: string,
  channel: string,
  address: string,
): Promise<void> {
  await tx
    .deleteFrom('suppressions')
    .where('tutor_id', '=', tutorId)
    .where('channel', '=', channel)
    .where('address', '=', normalizeAddress(address))
    .execute();
}
