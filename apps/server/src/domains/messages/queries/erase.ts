import { ERASED_NAME } from '@lessonbook/contract/account-deletion-and-erasure';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { isInUse } from './email-or-phone-in-use.ts';

/**
 * Clears the content of messages sent to the person, including at earlier addresses, but keeps their kind and dates.
 * Returns their ids, and the addresses in lower case.
 */
export async function eraseMessagesTo(
  tx: Tx,
  tutorId: string,
  to: {
    person: { kind: 'student' | 'carer'; id: number };
    familyIds: readonly number[];
    addresses: readonly string[];
  },
): Promise<{ id: number; address: string }[]> {
  const { kind, id } = to.person;
  const contactColumn = sql.ref(kind === 'student' ? 'c.student_id' : 'c.id');
  const { rows } = await sql<{ id: number; address: string }>`
    with matching as (
      select m.id, lower(trim(m.address)) as address from messages m
      where m.tutor_id = ${tutorId}::uuid
        and (m.family_id = any(${to.familyIds}::int[]) or lower(trim(m.address)) = any(${to.addresses}::text[])
          or exists (
            select 1 from message_sessions t
            where t.tutor_id = m.tutor_id and t.message_id = m.id and t.recipient = ${`${kind[0]}${id}`})
          or exists (
            select 1 from note_emails e
            join contacts c on c.tutor_id = e.tutor_id and c.id = e.contact_id and ${contactColumn} = ${id}::int
            where e.tutor_id = m.tutor_id and e.message_id = m.id)))
    update messages m set to_name = ${ERASED_NAME}, address = '', subject = '', text = '', failure_reason = null, vendor_id = null,
      dedupe_key = 'erased ' || m.id,
      state = case when state in ('waiting', 'draft', 'opened') then 'dismissed' else state end
    from matching where m.tutor_id = ${tutorId}::uuid and m.id = matching.id
    returning m.id, matching.address`.execute(tx);
  return rows;
}

/** Clears the text of messages to other people that mention this person. */
export async function eraseTextAbout(
  tx: Tx,
  tutorId: string,
  about: { familyIds: readonly number[]; studentId: number | null; pattern: string },
): Promise<void> {
  await sql`
    update messages m set subject = '', text = '',
      state = case when state in ('waiting', 'draft', 'opened') then 'dismissed' else state end
    where m.tutor_id = ${tutorId}::uuid and (m.subject ~* ${about.pattern} or m.text ~* ${about.pattern})
      and (m.family_id = any(${about.familyIds}::int[]) or exists (
        select 1 from message_sessions t
        where t.tutor_id = m.tutor_id and t.message_id = m.id and t.student_id = ${about.studentId}::int)
        or exists (
        select 1 from note_emails e
        where e.tutor_id = m.tutor_id and e.message_id = m.id and e.student_id = ${about.studentId}::int))`.execute(
    tx,
  );
}

/**
 * Deletes the records of what recipients were sent about the person's sessions, so that no corrections are sent. Also deletes
 * the public links in these messages and the student's reminder settings.
 */
export async function deleteMessageSessionRecords(
  tx: Tx,
  tutorId: string,
  about: { messageIds: readonly number[]; studentId: number | null },
): Promise<void> {
  await sql`delete from message_sessions t where t.tutor_id = ${tutorId}::uuid
    and (t.message_id = any(${about.messageIds}::int[]) or t.student_id = ${about.studentId}::int)`.execute(
    tx,
  );
  await sql`delete from public_links where tutor_id = ${tutorId}::uuid and kind in ('unsubscribe', 'whatsapp')
    and target_id = any(${about.messageIds}::int[])`.execute(tx);
  await sql`delete from student_reminders
    where tutor_id = ${tutorId}::uuid and student_id = ${about.studentId}::int`.execute(tx);
}

/**
 * Deletes the suppressions, opt-outs and consents for each address that no other student or carer uses, and the ended
 * consents under the person's name for earlier numbers.
 */
export async function deleteAddressPreferences(
  tx: Tx,
  tutorId: string,
  { addresses, pattern }: { addresses: readonly string[]; pattern: string | null },
): Promise<void> {
  for (const table of ['suppressions', 'reminder_opt_outs', 'whatsapp_consents'] as const)
    await sql`delete from ${sql.table(table)} a where a.tutor_id = ${tutorId}::uuid
      and a.address = any(${addresses}::text[]) and not ${isInUse}`.execute(tx);
  await sql`delete from whatsapp_consents a where a.tutor_id = ${tutorId}::uuid and a.ended_at is not null
    and a.name ~* ${pattern}::text and not ${isInUse}`.execute(tx);
}

export async function eraseNotifications(tx: Tx, tutorId: string, pattern: string): Promise<void> {
  await sql`update notifications set text = 'About a person who was erased.', dedupe_key = 'erased ' || id
    where tutor_id = ${tutorId}::uuid and (text ~* ${pattern} or dedupe_key ~* ${pattern})`.execute(
    tx,
  );
}
