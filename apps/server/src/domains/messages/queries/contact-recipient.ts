import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface ContactRecipient {
  name: string;
  email: string;
  timeZone: string | null;
  /** The account of the contact, if they have one. */
  familyId: number | null;
  /** The contact's own student row, if the contact is a student; otherwise null. */
  ownStudentId: number | null;
}

/** A contact who may be emailed an answer about a charge; undefined if suspended, or without an address or access. */
export async function findChargeAnswerRecipient(
  tx: Tx,
  tutorId: string,
  contactId: number,
): Promise<ContactRecipient | undefined> {
  const [row] = await queryFromSql(
    tx,
    sql<ContactRecipient>`
      select c.name, c.email, c.time_zone as "timeZone", f.id as "familyId", c.student_id as "ownStudentId"
      from contacts c
      left join families f on f.tutor_id = c.tutor_id and f.contact_id = c.id
      where c.tutor_id = ${tutorId}::uuid and c.id = ${contactId}::int and c.email is not null
        and c.erased_at is null and c.suspended_at is null
        and exists (
          select from contact_access a
          where a.tutor_id = c.tutor_id and a.contact_id = c.id and a.sees_money)`,
  ).execute();
  return row;
}

/** A contact who may be emailed about a student's lessons; undefined if the contact has no address or may no longer see them. */
export async function findContactRecipient(
  tx: Tx,
  tutorId: string,
  contactId: number,
  studentId: number,
): Promise<ContactRecipient | undefined> {
  const [row] = await queryFromSql(
    tx,
    sql<ContactRecipient>`
      select c.name, c.email, c.time_zone as "timeZone", f.id as "familyId", c.student_id as "ownStudentId"
      from contacts c
      join contact_access a on a.tutor_id = c.tutor_id and a.contact_id = c.id and a.student_id = ${studentId}::int
      left join families f on f.tutor_id = c.tutor_id and f.contact_id = c.id
      where c.tutor_id = ${tutorId}::uuid and c.id = ${contactId}::int and c.email is not null
        and c.erased_at is null and c.suspended_at is null and a.sees_lessons`,
  ).execute();
  return row;
}
