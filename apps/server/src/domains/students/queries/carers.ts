import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { CarerDetails } from '../rules/carer-change.ts';

export async function hasCarer(tx: Tx, tutorId: string, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('carers')
    .where('tutor_id', '=', tutorId)
    // The id comes from a request body: if it is too large for the column, return no row instead of an error.
    .where('id', '=', sql<number>`${id}::bigint`)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertCarer(
  tx: Tx,
  tutorId: string,
  carer: CarerDetails & { id: number; publicId: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('carers')
    .values({
      tutor_id: tutorId,
      id: carer.id,
      public_id: carer.publicId,
      name: carer.name,
      relationship: carer.relationship,
      phone: carer.phone,
      email: carer.email,
      created_at: carer.now,
    })
    .execute();
}

export async function updateCarer(
  tx: Tx,
  tutorId: string,
  id: number,
  change: Partial<CarerDetails>,
): Promise<void> {
  await tx
    .updateTable('carers')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Includes only carers who have active students. */
export const carersWithStudents = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('carers')
    // Lateral, so that a page reads only the students of its carers.
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('students')
          .whereRef('students.tutor_id', '=', 'carers.tutor_id')
          .whereRef('students.carer_id', '=', 'carers.id')
          .where('students.archived_at', 'is', null)
          .select(sql<string[]>`array_agg(students.name order by students.id)`.as('names'))
          .as('current_students'),
      (join) => join.on('current_students.names', 'is not', null),
    )
    .where('carers.tutor_id', '=', tutorId)
    .select([
      'carers.id',
      'carers.name',
      'carers.relationship',
      'carers.phone',
      'carers.email',
      'current_students.names as students',
    ])
    .orderBy('carers.id');

export const carersPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  carersWithStudents(tx, tutorId).where('carers.id', '>', after).limit(limit);
