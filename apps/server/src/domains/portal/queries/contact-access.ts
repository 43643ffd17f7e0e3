import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

/** What one contact may see of one student, and do for them. */
export interface StudentAccess {
  studentId: number;
  studentName: string;
  seesLessons: boolean;
  seesPlace: boolean;
  seesNotes: boolean;
  seesMoney: boolean;
  mayCancel: boolean;
  mayRequestMoves: boolean;
}

/** The application's own check; the portal's views enforce the same rules in the database. */
export const activeContactAccess = (tx: Tx, tutorId: string, contactId: number, now: Date) =>
  queryFromSql(
    tx,
    sql<StudentAccess>`
      select a.student_id as "studentId", s.name as "studentName", a.sees_lessons as "seesLessons",
        a.sees_place as "seesPlace", n.sees_notes as "seesNotes", a.sees_money as "seesMoney",
        a.may_cancel as "mayCancel", a.may_ask as "mayRequestMoves"
      from contact_access a
      join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
      join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
      join tutors t on t.tutor_id = a.tutor_id
      cross join lateral (
        select a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false)) as sees_notes) n
      where a.tutor_id = ${tutorId}::uuid and a.contact_id = ${contactId}::int
        and (a.sees_lessons or n.sees_notes or a.sees_money)
        and c.erased_at is null and s.erased_at is null and s.archived_at is null
        and (s.portal_ends_on is null or s.portal_ends_on >= (${now}::timestamptz at time zone t.time_zone)::date)
        and t.portal_opened_at is not null and t.deletion_scheduled_at is null and c.suspended_at is null
      order by a.student_id`,
  );

export const contactEmail = (tx: Tx, tutorId: string, contactId: number) =>
  tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', contactId)
    .select('email');

/** Whether the contact is a student who pays for their own lessons. */
export async function isStudentContact(
  tx: Tx,
  tutorId: string,
  contactId: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', contactId)
    .select('student_id')
    .executeTakeFirst();
  return row?.student_id !== null && row?.student_id !== undefined;
}
