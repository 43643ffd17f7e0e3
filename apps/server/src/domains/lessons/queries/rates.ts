import type { RateInput } from '@lessonbook/contract/rates';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids-condition.ts';

export const ratesPage = (tx: Tx, tutorId: string, page: PageQuery) =>
  tx
    .selectFrom('rates')
    .innerJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'rates.tutor_id')
        .onRef('students.id', '=', 'rates.student_id'),
    )
    .innerJoin('subjects', (join) =>
      join
        .onRef('subjects.tutor_id', '=', 'rates.tutor_id')
        .onRef('subjects.id', '=', 'rates.subject_id'),
    )
    .where('rates.tutor_id', '=', tutorId)
    .where(
      'rates.id',
      '=',
      anyIdOnPage(
        'rates',
        tutorId,
        page,
        sql`exists (select from students s where s.tutor_id = rates.tutor_id and s.id = rates.student_id
          and s.archived_at is null)`,
      ),
    )
    .select([
      'rates.id',
      'rates.student_id as studentId',
      'students.name as studentName',
      'rates.subject_id as subjectId',
      'subjects.name as subjectName',
      'rates.amount',
      'rates.currency',
      'rates.unit',
      'rates.valid_from as validFrom',
    ])
    .orderBy('rates.id');

/** The rates of these students for all subjects. */
export const ratesOfStudents = (tx: Tx, tutorId: string, studentIds: readonly number[]) =>
  tx
    .selectFrom('rates')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', sql<number>`any(${studentIds}::int[])`)
    .select([
      'id',
      'student_id as studentId',
      'subject_id as subjectId',
      'amount',
      'currency',
      'unit',
      'valid_from as validFrom',
    ])
    .orderBy('id');

export type RateRecord = RowOf<ReturnType<typeof ratesOfStudents>>;

export const rateById = (tx: Tx, tutorId: string, id: number) =>
  tx
    .selectFrom('rates')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select(['id', 'student_id as studentId', 'subject_id as subjectId']);

export interface NewRate extends Omit<RateInput, 'amount'> {
  id: number;
  /** In minor units. */
  amount: number;
  currency: string;
}

/** A rate from the same date is replaced and keeps its id. */
export async function upsertRates(
  tx: Tx,
  tutorId: string,
  rates: readonly NewRate[],
  now: Date,
): Promise<void> {
  const column = <K extends keyof NewRate>(key: K) => rates.map((rate) => rate[key]);
  await sql`
    insert into rates (tutor_id, id, student_id, subject_id, amount, currency, unit, valid_from, created_at)
    select ${tutorId}::uuid, r.*, ${now}::timestamptz
    from unnest(${column('id')}::int[], ${column('studentId')}::int[], ${column('subjectId')}::int[], ${column('amount')}::int[],
      ${column('currency')}::text[], ${column('unit')}::text[], ${column('validFrom')}::date[]) as r
    on conflict (tutor_id, student_id, subject_id, valid_from)
      do update set amount = excluded.amount, currency = excluded.currency, unit = excluded.unit`.execute(
    tx,
  );
}

export async function deleteRate(tx: Tx, tutorId: string, id: number): Promise<void> {
  await tx.deleteFrom('rates').where('tutor_id', '=', tutorId).where('id', '=', id).execute();
}
