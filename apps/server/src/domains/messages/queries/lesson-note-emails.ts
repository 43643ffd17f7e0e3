import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

/** A shared note, for a contact who may read it and has an email address. */
export interface NoteForContact {
  contactId: number;
  contactName: string;
  email: string;
  timeZone: string | null;
  /** The account of the contact, if they have one. */
  familyId: number | null;
  /** Set if the contact is a student. */
  ownStudentId: number | null;
  sessionId: number;
  studentId: number;
  version: number;
  studentName: string;
  subjectName: string;
  date: string;
  did: string | null;
  nextTime: string | null;
  homework: string | null;
  dueOn: string | null;
}

/** Applies the same access rules as the views of the family portal. */
const notesForContacts = (tutorId: string, now: Date) => sql`
  select c.id as "contactId", c.name as "contactName", c.email, c.time_zone as "timeZone", f.id as "familyId",
    c.student_id as "ownStudentId", n.session_id as "sessionId", n.student_id as "studentId", n.version,
    s.name as "studentName", b.name as "subjectName", e.date, n.did, n.next_time as "nextTime", n.homework,
    n.due_on as "dueOn"
  from lesson_notes n
  join session_students x on x.tutor_id = n.tutor_id and x.session_id = n.session_id and x.student_id = n.student_id
  join sessions e on e.tutor_id = n.tutor_id and e.id = n.session_id
  join subjects b on b.tutor_id = e.tutor_id and b.id = e.subject_id
  join students s on s.tutor_id = n.tutor_id and s.id = n.student_id and s.erased_at is null and s.archived_at is null
  join contact_access a on a.tutor_id = n.tutor_id and a.student_id = n.student_id and a.sees_notes
  join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id and c.email is not null and c.erased_at is null
    and c.suspended_at is null and (not s.notes_for_student_only or c.student_id = s.id)
  join tutors t on t.tutor_id = n.tutor_id and t.portal_opened_at is not null and t.deletion_scheduled_at is null
    and (s.portal_ends_on is null or s.portal_ends_on >= (${now}::timestamptz at time zone t.time_zone)::date)
  left join families f on f.tutor_id = c.tutor_id and f.contact_id = c.id
  where n.tutor_id = ${tutorId}::uuid and n.published_at is not null and n.withdrawn_at is null
    and not exists (
      select from lesson_notes l
      where l.tutor_id = n.tutor_id and l.session_id = n.session_id and l.student_id = n.student_id
        and l.version > n.version and l.published_at is not null)`;

const orderByContact = sql`order by c.id, s.name, s.id, e.starts_at, e.id`;

/** Notes shared since `since` that have not been emailed to the contact yet, grouped by contact. */
export const notesToEmail = (
  tx: Tx,
  tutorId: string,
  { since, now, limit }: { since: Date; now: Date; limit: number },
) =>
  queryFromSql(
    tx,
    sql<NoteForContact>`
      ${notesForContacts(tutorId, now)} and n.published_at > ${since}::timestamptz
        and not exists (
          select from note_emails m
          where m.tutor_id = n.tutor_id and m.contact_id = c.id and m.session_id = n.session_id
            and m.student_id = n.student_id and m.version = n.version)
      ${orderByContact} limit ${limit}`,
  );

/** The notes in an email that its recipient may still read. Empty if the recipient's address has changed. */
export const notesOfEmail = (tx: Tx, tutorId: string, messageId: number, now: Date) =>
  queryFromSql(
    tx,
    sql<NoteForContact>`
      ${notesForContacts(tutorId, now)} and exists (
        select from note_emails m
        join messages e on e.tutor_id = m.tutor_id and e.id = m.message_id
        where m.tutor_id = n.tutor_id and m.contact_id = c.id and m.session_id = n.session_id
          and m.student_id = n.student_id and m.version = n.version and m.message_id = ${messageId}::int
          and lower(e.address) = lower(c.email))
      ${orderByContact}`,
  );

/** Records which notes the new emails contain. */
export async function insertNoteEmails(
  tx: Tx,
  tutorId: string,
  notes: readonly (Pick<NoteForContact, 'contactId' | 'sessionId' | 'studentId' | 'version'> & {
    dedupeKey: string;
  })[],
): Promise<void> {
  if (notes.length === 0) return;
  const column = <K extends keyof (typeof notes)[number]>(key: K) => notes.map((note) => note[key]);
  await queryFromSql(
    tx,
    sql`
      insert into note_emails (tutor_id, contact_id, session_id, student_id, version, message_id)
      select m.tutor_id, n.contact_id, n.session_id, n.student_id, n.version, m.id
      from unnest(${column('contactId')}::int[], ${column('sessionId')}::int[], ${column('studentId')}::int[],
        ${column('version')}::int[], ${column('dedupeKey')}::text[])
        as n(contact_id, session_id, student_id, version, dedupe_key)
      join messages m on m.tutor_id = ${tutorId}::uuid and m.dedupe_key = n.dedupe_key`,
  ).execute();
}

export const noteEmailHour = (tx: Tx, tutorId: string) =>
  tx.selectFrom('tutors').where('tutor_id', '=', tutorId).select('note_email_hour as hour');
