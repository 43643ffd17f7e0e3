import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { ReminderPreferences } from '../rules/recipients.ts';

export interface ContactReminderRow {
  name: string;
  email: string | null;
  phone: string | null;
  /** Whether another contact, or a student with a different main contact, has the same number. */
  isPhoneShared: boolean;
  /** The account of the contact, if they have one. */
  familyId: number | null;
  /** Whether notes are emailed to the contact. */
  receivesNoteEmails: boolean;
  /** The current students for whom this is the main contact, and the student who is this contact. */
  students: { isSelf: boolean; hasCarer: boolean; preferences: ReminderPreferences | null }[];
}

export const contactReminders = (tx: Tx, tutorId: string, contactId: number, now: Date) =>
  queryFromSql(
    tx,
    sql<ContactReminderRow>`
      select c.name, c.email, c.phone,
        exists (
          select 1 from contacts o where o.tutor_id = c.tutor_id and o.id <> c.id and o.phone = c.phone)
        or exists (
          select 1 from students o
          where o.tutor_id = c.tutor_id and o.phone = c.phone and o.id is distinct from c.student_id
            and o.contact_id is distinct from c.id) as "isPhoneShared",
        (select f.id from families f where f.tutor_id = c.tutor_id and f.contact_id = c.id) as "familyId",
        exists (
          select 1 from contact_access a
          join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
          join tutors t on t.tutor_id = a.tutor_id
          where a.tutor_id = c.tutor_id and a.contact_id = c.id and a.sees_notes and s.archived_at is null
            and (s.portal_ends_on is null or s.portal_ends_on >= (${now}::timestamptz at time zone t.time_zone)::date)
            and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false))
            and t.note_email_hour is not null) as "receivesNoteEmails",
        coalesce((
          select jsonb_agg(jsonb_build_object(
            'isSelf', coalesce(c.student_id = s.id, false),
            'hasCarer', m.student_id is null,
            'preferences', case when r.student_id is not null then jsonb_build_object(
              'leadMinutes', r.lead_minutes, 'channels', r.channels, 'recipient', r.recipient) end))
          from students s
          join tutors t on t.tutor_id = s.tutor_id
          join contacts m on m.tutor_id = s.tutor_id and m.id = s.contact_id
          left join student_reminders r on r.tutor_id = s.tutor_id and r.student_id = s.id
          where s.tutor_id = c.tutor_id and s.archived_at is null
            and (s.status <> 'left' or s.left_on >= (${now}::timestamptz at time zone t.time_zone)::date)
            and (s.contact_id = c.id or s.id = c.student_id)), '[]') as students
      from contacts c
      where c.tutor_id = ${tutorId}::uuid and c.id = ${contactId}::int`,
  );
