import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids.ts';

export interface StudentDetails {
  name: string;
  phone: string | null;
  email: string | null;
  subject: string | null;
  notes: string | null;
  carerId: number | null;
}

const toColumns = ({ carerId, ...details }: StudentDetails) => ({ ...details, carer_id: carerId });

/** Each row includes the carer's columns, as in the form. */
export const activeStudents = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('students')
    .leftJoin('carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'students.tutor_id')
        .onRef('carers.id', '=', 'students.carer_id'),
    )
    // Two joins, because a join with OR compares every student with every family.
    .leftJoin('families as carer_families', (join) =>
      join
        .onRef('carer_families.tutor_id', '=', 'students.tutor_id')
        .onRef('carer_families.carer_id', '=', 'students.carer_id'),
    )
    .leftJoin('families as own_families', (join) =>
      join
        .onRef('own_families.tutor_id', '=', 'students.tutor_id')
        .onRef('own_families.student_id', '=', 'students.id')
        .on('students.carer_id', 'is', null),
    )
    .where('students.tutor_id', '=', tutorId)
    .where('students.archived_at', 'is', null)
    .select([
      'students.id',
      'students.name',
      'students.phone',
      'students.email',
      'students.subject',
      'students.notes',
      'students.carer_id as carerId',
      'carers.name as carerName',
      'carers.relationship as carerRelationship',
      'carers.phone as carerPhone',
      'carers.email as carerEmail',
      sql<number | null>`coalesce(carer_families.id, own_families.id)`.as('familyId'),
    ])
    .orderBy('students.id');

export const activeStudentsPage = (tx: Tx, tutorId: string, page: PageQuery) =>
  activeStudents(tx, tutorId).where(
    'students.id',
    '=',
    anyIdOnPage('students', tutorId, page, sql`archived_at is null`),
  );

export async function countActiveStudents(tx: Tx, tutorId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('archived_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const studentById = compiledQuery((tx, tutorId: string, id: number) =>
  activeStudents(tx, tutorId).where('students.id', '=', id),
);

export async function insertStudent(
  tx: Tx,
  tutorId: string,
  student: StudentDetails & { id: number; publicId: string; now: Date },
): Promise<void> {
  const { id, publicId, now, ...details } = student;
  await tx
    .insertInto('students')
    .values({
      tutor_id: tutorId,
      id,
      public_id: publicId,
      created_at: now,
      ...toColumns(details),
    })
    .execute();
}

export async function updateStudent(
  tx: Tx,
  tutorId: string,
  id: number,
  details: StudentDetails,
): Promise<void> {
  await tx
    .updateTable('students')
    .set(toColumns(details))
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Returns false if the student does not exist or is already archived. */
export async function archiveStudent(
  tx: Tx,
  tutorId: string,
  id: number,
  now: Date,
): Promise<boolean> {
  const archived = await tx
    .updateTable('students')
    .set({ archived_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return archived !== undefined;
}
