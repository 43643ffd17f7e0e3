import { ERASED_NAME } from '@lessonbook/contract/privacy';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

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
    ]);

export const unerasedCarers = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('carers')
    .leftJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'carers.tutor_id')
        .onRef('students.carer_id', '=', 'carers.id')
        .on('students.erased_at', 'is', null),
    )
    .where('carers.tutor_id', '=', tutorId)
    .where('carers.erased_at', 'is', null)
    .groupBy(['carers.tutor_id', 'carers.id'])
    .select([
      'carers.id',
      'carers.name',
      'carers.email',
      'carers.phone',
      sql<string[]>`coalesce(array_agg(students.name order by students.id)
        filter (where students.id is not null), '{}')`.as('students'),
      sql<boolean>`count(students.id) filter (where students.archived_at is null) > 0`.as(
        'hasActiveStudents',
      ),
    ]);

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
