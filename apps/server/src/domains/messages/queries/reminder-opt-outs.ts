import type { ReminderKind } from '@lessonbook/contract/messages';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { isInUse } from './email-or-phone-in-use.ts';

/** Addresses are compared case-insensitively. */
export const normalizeAddress = (address: string): string => address.trim().toLowerCase();

/**
 * The email addresses of everyone who has stopped this kind of reminder, and the same people's phone numbers, unless someone
 * who has not stopped these reminders shares the number. For a student without an email address, the main contact's applies.
 */
const stoppedAddresses = (tutorId: string, kinds: readonly string[]) => sql`
  with stopped as (
    select distinct address from reminder_opt_outs where tutor_id = ${tutorId}::uuid and kind = any(${kinds}::text[]))
  select address from stopped
  union
  select number from (
    select lower(trim(c.phone)) as number, lower(trim(c.email)) as email from contacts c
    where c.tutor_id = ${tutorId}::uuid and c.phone is not null
    union all
    select lower(trim(s.phone)), lower(trim(coalesce(s.email, m.email))) from students s
    left join contacts m on m.tutor_id = s.tutor_id and m.id = s.contact_id
    where s.tutor_id = ${tutorId}::uuid and s.phone is not null) p
  left join stopped on stopped.address = p.email
  group by number having bool_and(stopped.address is not null)`;

/** Addresses must be normalised with `normalizeAddress` before they are looked up in the set. */
export async function findStoppedAddresses(
  tx: Tx,
  tutorId: string,
  kind: ReminderKind,
): Promise<Set<string>> {
  const rows = await queryFromSql(
    tx,
    sql<{ address: string }>`${stoppedAddresses(tutorId, [kind])}`,
  ).execute();
  return new Set(rows.map(({ address }) => address));
}

/** Whether the owner of this email address or phone number has stopped this kind of reminder. */
export const hasOptedOutOfReminders = async (
  tx: Tx,
  tutorId: string,
  kind: ReminderKind,
  address: string,
): Promise<boolean> =>
  (await findStoppedAddresses(tx, tutorId, kind)).has(normalizeAddress(address));

/** The kinds that the owner of this email address has stopped. */
export async function findStoppedKinds(
  tx: Tx,
  tutorId: string,
  email: string,
): Promise<ReminderKind[]> {
  const rows = await tx
    .selectFrom('reminder_opt_outs')
    .where('tutor_id', '=', tutorId)
    .where('address', '=', normalizeAddress(email))
    .select('kind')
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => kind as ReminderKind);
}

/** Returns a row if the recipient of the email has stopped this kind of message. */
export const optOutForMessage = (tx: Tx, tutorId: string, messageId: number) =>
  tx
    .selectFrom('messages')
    .innerJoin('reminder_opt_outs', (join) =>
      join
        .onRef('reminder_opt_outs.tutor_id', '=', 'messages.tutor_id')
        .onRef('reminder_opt_outs.kind', '=', 'messages.kind')
        .on('reminder_opt_outs.address', '=', sql<string>`lower(trim(messages.address))`),
    )
    .where('messages.tutor_id', '=', tutorId)
    .where('messages.id', '=', messageId)
    .select(sql<string>`'stopped'`.as('reason'));

/** Replaces the kinds that the owner of the email address has stopped. */
export async function replaceOptOuts(
  tx: Tx,
  tutorId: string,
  email: string,
  kinds: readonly ReminderKind[],
  now: Date,
): Promise<void> {
  const address = normalizeAddress(email);
  await sql`delete from reminder_opt_outs where tutor_id = ${tutorId}::uuid and address = ${address}
    and kind <> all(${kinds}::text[])`.execute(tx);
  await sql`insert into reminder_opt_outs (tutor_id, address, kind, created_at)
    select ${tutorId}::uuid, ${address}, kind, ${now}::timestamptz from unnest(${kinds}::text[]) as k(kind)
    on conflict do nothing`.execute(tx);
}

/** Used when a person's email address has changed. */
export async function copyOptOuts(
  tx: Tx,
  tutorId: string,
  from: string,
  to: string,
): Promise<void> {
  await sql`insert into reminder_opt_outs (tutor_id, address, kind, created_at)
    select tutor_id, ${normalizeAddress(to)}, kind, created_at from reminder_opt_outs
    where tutor_id = ${tutorId}::uuid and address = ${normalizeAddress(from)}
    on conflict do nothing`.execute(tx);
}

/** Used when someone has replaced an address. Nothing is deleted if another person still has it. */
export async function deleteUnusedOptOuts(tx: Tx, tutorId: string, email: string): Promise<void> {
  await sql`delete from reminder_opt_outs a where a.tutor_id = ${tutorId}::uuid
    and a.address = ${normalizeAddress(email)} and not ${isInUse}`.execute(tx);
}

/** Skips unsent reminders to recipients who have stopped them since, including drafts that the tutor has not opened. */
export async function skipStoppedReminders(
  tx: Tx,
  tutorId: string,
  kind: ReminderKind,
  reason: string,
): Promise<void> {
  await sql`update messages set state = 'skipped', failure_reason = ${reason}
    where tutor_id = ${tutorId}::uuid and kind = ${kind} and state in ('waiting', 'draft')
      and lower(trim(address)) in (${stoppedAddresses(tutorId, [kind])})`.execute(tx);
}
