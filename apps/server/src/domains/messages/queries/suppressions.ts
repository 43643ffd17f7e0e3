import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { reportForMessage } from './address-reports.ts';

/** Addresses are compared case-insensitively. */
const addressKey = (address: string): string => address.trim().toLowerCase();

export async function findSuppressionReason(
  tx: Tx,
  tutorId: string,
  channel: string,
  address: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('suppressions')
    .where('tutor_id', '=', tutorId)
    .where('channel', '=', channel)
    .where('address', '=', addressKey(address))
    .select('reason')
    .executeTakeFirst();
  return row?.reason;
}

/** 'bounced', 'unsubscribed' or 'reported', each at most once. */
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
    .unionAll(reportForMessage(tx, tutorId, messageId));

/** Identifies an address on a channel, such as 'email ruth@example.com'. */
export const suppressionKey = ({ channel, address }: { channel: string; address: string }) =>
  `${channel} ${addressKey(address)}`;

/** Returns the suppressionKey of each of the given addresses that is suppressed. */
export async function findSuppressedAddresses(
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
      sql<string>`any(${addresses.map((each) => addressKey(each.address))}::text[])`,
    )
    .select(['channel', 'address'])
    .execute();
  return new Set(rows.map(suppressionKey));
}

export async function suppress(
  tx: Tx,
  tutorId: string,
  suppression: {
    channel: string;
    address: string;
    reason: 'bounced' | 'unsubscribed';
    now: Date;
  },
): Promise<void> {
  const { channel, address, reason, now } = suppression;
  await tx
    .insertInto('suppressions')
    .values({ tutor_id: tutorId, channel, address: addressKey(address), reason, created_at: now })
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
    .where('address', '=', addressKey(address))
    .where('reason', '=', 'bounced')
    .execute();
}
