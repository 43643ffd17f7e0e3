import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { ContactAccess } from '@lessonbook/contract/students';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { CarerDetails } from '../rules/resolve-carer-from-student-form.ts';

export type ContactDetails = CarerDetails & { timeZone: string | null };

const toColumns = ({ timeZone, ...details }: Partial<ContactDetails>) => ({
  ...details,
  ...(timeZone === undefined ? {} : { time_zone: timeZone }),
});

/** Whether there is a contact with this id who is not a student. */
export async function hasCarer(tx: Tx, tutorId: string, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    // The id comes from a request body: if it is too large for the column, return no row instead of an error.
    .where('id', '=', sql<number>`${id}::bigint`)
    .where('student_id', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The id of the student's own contact record; null if the student has none. */
export async function findOwnContactId(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<number | null> {
  const row = await tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .select('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertContact(
  tx: Tx,
  tutorId: string,
  contact: ContactDetails & { id: number; publicId: string; studentId: number | null; now: Date },
): Promise<void> {
  const { id, publicId, studentId, now, ...details } = contact;
  await tx
    .insertInto('contacts')
    .values({
      tutor_id: tutorId,
      id,
      public_id: publicId,
      student_id: studentId,
      name: details.name,
      relationship: details.relationship,
      phone: details.phone,
      email: details.email,
      time_zone: details.timeZone,
      created_at: now,
    })
    .execute();
}

export async function updateContact(
  tx: Tx,
  tutorId: string,
  id: number,
  change: Partial<ContactDetails>,
): Promise<void> {
  await tx
    .updateTable('contacts')
    .set(toColumns(change))
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Whether another contact has this email address. */
export async function isEmailUsedByAnotherContact(
  tx: Tx,
  tutorId: string,
  contactId: number,
  email: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('id', '<>', contactId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('erased_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The contact's name, email and phone, and their student id if the contact is a student. */
export const contactDetails = (tx: Tx, tutorId: string, contactId: number) =>
  tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', contactId)
    .select(['name', 'student_id as studentId', 'email', 'phone']);

export async function updateStudentEmailOrPhone(
  tx: Tx,
  tutorId: string,
  studentId: number,
  change: { email: string } | { phone: string },
): Promise<void> {
  await tx
    .updateTable('students')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', studentId)
    .execute();
}

/** Copies a student's details to their own contact record. Nothing else updates these copies. */
export async function copyStudentToOwnContact(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<void> {
  await sql`
    update contacts c set name = s.name, phone = s.phone, email = s.email, erased_at = s.erased_at,
      relationship = case when s.erased_at is null then c.relationship end,
      time_zone = case when s.erased_at is null then c.time_zone end
    from students s
    where s.tutor_id = ${tutorId}::uuid and s.id = ${studentId}::int and c.tutor_id = s.tutor_id and c.student_id = s.id`.execute(
    tx,
  );
}

export async function setAccess(
  tx: Tx,
  tutorId: string,
  link: { contactId: number; studentId: number },
  access: ContactAccess,
): Promise<void> {
  const columns = {
    sees_lessons: access.seesLessons,
    sees_place: access.seesPlace,
    sees_notes: access.seesNotes,
    sees_money: access.seesMoney,
    may_cancel: access.mayCancel,
    may_ask: access.mayRequestMoves,
  };
  await tx
    .insertInto('contact_access')
    .values({
      tutor_id: tutorId,
      contact_id: link.contactId,
      student_id: link.studentId,
      ...columns,
    })
    .onConflict((conflict) =>
      conflict.columns(['tutor_id', 'contact_id', 'student_id']).doUpdateSet(columns),
    )
    .execute();
}

export async function deleteAccess(
  tx: Tx,
  tutorId: string,
  link: { contactId: number; studentId: number },
): Promise<void> {
  await tx
    .deleteFrom('contact_access')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', link.contactId)
    .where('student_id', '=', link.studentId)
    .execute();
}

/** Includes only carers who are the main contact of active students. */
export const carersWithStudents = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('contacts')
    // Lateral, so that a page reads only the students of its carers.
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('students')
          .whereRef('students.tutor_id', '=', 'contacts.tutor_id')
          .whereRef('students.contact_id', '=', 'contacts.id')
          .where('students.archived_at', 'is', null)
          .select(sql<string[]>`array_agg(students.name order by students.id)`.as('names'))
          .as('current_students'),
      (join) => join.on('current_students.names', 'is not', null),
    )
    .where('contacts.tutor_id', '=', tutorId)
    .where('contacts.student_id', 'is', null)
    .select([
      'contacts.id',
      'contacts.name',
      'contacts.relationship',
      'contacts.phone',
      'contacts.email',
      'current_students.names as students',
    ])
    .orderBy('contacts.id');

export const carersPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  carersWithStudents(tx, tutorId).where('contacts.id', '>', after).limit(limit);

export async function phoneOfContact(
  tx: Tx,
  tutorId: string,
  contactId: number,
): Promise<string | null> {
  const contact = await tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', contactId)
    .select('phone')
    .executeTakeFirst();
  return contact?.phone ?? null;
}
