import { ERASED_NAME } from '@lessonbook/contract/account-deletion-and-erasure';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids-condition.ts';

export const unerasedStudents = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('students')
    .leftJoin('contacts as carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'students.tutor_id')
        .onRef('carers.id', '=', 'students.contact_id')
        .on('carers.student_id', 'is', null)
        .on('carers.erased_at', 'is', null),
    )
    .where('students.tutor_id', '=', tutorId)
    .where('students.erased_at', 'is', null)
    .select([
      'students.id',
      'students.name',
      'students.email',
      'students.phone',
      'students.archived_at as archivedAt',
      'carers.name as carerName',
    ])
    .orderBy('students.id');

export const unerasedStudentsPage = (tx: Tx, tutorId: string, page: PageQuery) =>
  unerasedStudents(tx, tutorId).where(
    'students.id',
    '=',
    anyIdOnPage('students', tutorId, page, sql`erased_at is null`),
  );

/** Carers and other contacts; a student's own contact is erased with the student. */
export const unerasedCarers = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('contacts')
    // Lateral, so that a page reads only the students of its carers.
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('contact_access')
          .innerJoin('students', (join) =>
            join
              .onRef('students.tutor_id', '=', 'contact_access.tutor_id')
              .onRef('students.id', '=', 'contact_access.student_id'),
          )
          .whereRef('contact_access.tutor_id', '=', 'contacts.tutor_id')
          .whereRef('contact_access.contact_id', '=', 'contacts.id')
          .where('students.erased_at', 'is', null)
          .select([
            sql<string[]>`coalesce(array_agg(students.name order by students.id), '{}')`.as(
              'names',
            ),
            sql<boolean>`count(*) filter (where students.archived_at is null) > 0`.as('hasActive'),
          ])
          .as('children'),
      (join) => join.onTrue(),
    )
    .where('contacts.tutor_id', '=', tutorId)
    .where('contacts.student_id', 'is', null)
    .where('contacts.erased_at', 'is', null)
    .select([
      'contacts.id',
      'contacts.name',
      'contacts.email',
      'contacts.phone',
      'children.names as students',
      'children.hasActive as hasActiveStudents',
    ])
    .orderBy('contacts.id');

export const unerasedCarersPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  unerasedCarers(tx, tutorId).where('contacts.id', '>', after).limit(limit);

export async function eraseStudentRow(
  tx: Tx,
  tutorId: string,
  id: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('students')
    .set({
      name: ERASED_NAME,
      phone: null,
      email: null,
      subject: null,
      notes: null,
      school: null,
      school_year: null,
      erased_at: now,
    })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

export async function eraseCarerRow(tx: Tx, tutorId: string, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('contacts')
    .set({
      name: ERASED_NAME,
      relationship: null,
      phone: null,
      email: null,
      time_zone: null,
      erased_at: now,
    })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** The active students whose main contact this is. */
export const activeStudentsOfCarer = (tx: Tx, tutorId: string, carerId: number) =>
  tx
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', carerId)
    .where('archived_at', 'is', null)
    .select(['id', 'name', 'phone', 'email'])
    .orderBy('id')
    .execute();

export async function setMainContact(
  tx: Tx,
  tutorId: string,
  studentId: number,
  contactId: number,
): Promise<void> {
  await tx
    .updateTable('students')
    .set({ contact_id: contactId })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', studentId)
    .execute();
}

/** Unlinks the contact from every student, except archived students whose main contact it is. */
export async function unlinkFromStudents(
  tx: Tx,
  tutorId: string,
  contactId: number,
): Promise<void> {
  await sql`
    delete from contact_access a using students s
    where a.tutor_id = ${tutorId}::uuid and a.contact_id = ${contactId}::int
      and s.tutor_id = a.tutor_id and s.id = a.student_id and s.contact_id <> a.contact_id`.execute(
    tx,
  );
}
