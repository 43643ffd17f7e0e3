import { ERASED_NAME } from '@lessonbook/contract/privacy';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Clears the content of messages sent to the person but keeps their kind and dates. Returns the message ids. */
export async function eraseMessagesTo(
  tx: Tx,
  tutorId: string,
  to: { familyIds: readonly number[]; addresses: readonly string[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update messages set to_name = ${ERASED_NAME}, address = '', subject = '', text = '', failure_reason = null, vendor_id = null,
      dedupe_key = 'erased ' || id,
      state = case when state in ('waiting', 'draft', 'opened') then 'dismissed' else state end
    where tutor_id = ${tutorId}::uuid
      and (family_id = any(${to.familyIds}::int[]) or lower(trim(address)) = any(${to.addresses}::text[]))
    returning id`.execute(tx);
  return rows.map((row) => row.id);
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

/** Deletes the record of what recipients were sent about the person's sessions, so that no corrections are sent. */
export async function deleteCommunicatedSessions(
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

/** Deletes the suppressions, opt-outs and consents for each address, unless another student or carer uses it too. */
export async function deleteAddressPreferences(
  tx: Tx,
  tutorId: string,
  addresses: readonly string[],
): Promise<void> {
  const shared = sql`exists (select 1 from students p where p.tutor_id = a.tutor_id and a.address in (lower(p.email), p.phone))
    or exists (select 1 from contacts p where p.tutor_id = a.tutor_id and a.address in (lower(p.email), p.phone))`;
  for (const table of ['suppressions', 'reminder_opt_outs', 'whatsapp_consents'] as const)
    await sql`delete from ${sql.table(table)} a where a.tutor_id = ${tutorId}::uuid
      and a.address = any(${addresses}::text[]) and not (${shared})`.execute(tx);
}

export async function eraseNotifications(tx: Tx, tutorId: string, pattern: string): Promise<void> {
  await sql`update notifications set text = 'About a person who was erased.', dedupe_key = 'erased ' || id
    where tutor_id = ${tutorId}::uuid and (text ~* ${pattern} or dedupe_key ~* ${pattern})`.execute(
    tx,
  );
}
