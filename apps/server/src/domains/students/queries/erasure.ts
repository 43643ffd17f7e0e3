import { ERASED_NAME } from '@lessonbook/contract/privacy';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids.ts';

export const unerasedStudents = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('students')
    .leftJoin('carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'students.tutor_id')
        .onRef('carers.id', '=', 'students.carer_id')
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

export const unerasedCarers = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('carers')
    // Lateral, so that a page reads only the students of its carers.
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('students')
          .whereRef('students.tutor_id', '=', 'carers.tutor_id')
          .whereRef('students.carer_id', '=', 'carers.id')
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
    .where('carers.tutor_id', '=', tutorId)
    .where('carers.erased_at', 'is', null)
    .select([
      'carers.id',
      'carers.name',
      'carers.email',
      'carers.phone',
      'children.names as students',
      'children.hasActive as hasActiveStudents',
    ])
    .orderBy('carers.id');

export const unerasedCarersPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  unerasedCarers(tx, tutorId).where('carers.id', '>', after).limit(limit);

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
      erased_at: now,
    })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

export async function eraseCarerRow(tx: Tx, tutorId: string, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('carers')
    .set({ name: ERASED_NAME, relationship: null, phone: null, email: null, erased_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Makes the carer's active students their own payers and returns their ids. */
export async function detachFromCarer(tx: Tx, tutorId: string, carerId: number): Promise<number[]> {
  const detached = await tx
    .updateTable('students')
    .set({ carer_id: null })
    .where('tutor_id', '=', tutorId)
    .where('carer_id', '=', carerId)
    .where('archived_at', 'is', null)
    .returning('id')
    .execute();
  return detached.map(({ id }) => id);
}
