import type { FeeSource } from '@lessonbook/contract/fee-source';
import type { RateInput } from '@lessonbook/contract/rates';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { type Tx, toQuery } from '../../../platform/db/database.ts';
import { anyIdOnPage } from '../../../platform/db/page-of-ids-condition.ts';
import type { SeatRef } from '../rules/seat-fees-and-rosters.ts';

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

/** A seat whose fee was not entered, with the values that its fee depends on. */
export interface AutomaticSeat extends SeatRef {
  subjectId: number;
  date: string;
  startTime: string;
  endTime: string;
  fee: number | null;
  currency: string;
  feeSource: FeeSource;
  /**
   * The fee if the student has no rate: the subject's default fee when the seat or the lesson was saved, otherwise the
   * current one.
   */
  defaultFee: number | null;
}

/** Whether the seat x has a charge. */
const isCharged = sql`exists (
  select from charges c where c.tutor_id = x.tutor_id and c.session_id = x.session_id and c.student_id = x.student_id
    and c.kind in ('lesson', 'cancellation') and not c.reversed)`;

/**
 * Seats whose fee follows the student's rate. Those of completed sessions and those with a charge keep their fee. Cancelled
 * and moved sessions are included, because they can be restored.
 */
const automaticSeats = (tutorId: string) => sql`
  select x.session_id as "sessionId", x.student_id as "studentId", s.subject_id as "subjectId", s.date,
    s.start_time as "startTime", s.end_time as "endTime", x.fee, x.currency, x.fee_source as "feeSource",
    case when x.fee_source = 'subject' then x.fee
      when d.is_lesson and l.currency = x.currency then l.fee
      when b.currency = x.currency then b.default_fee
      when l.currency = x.currency then l.fee
      else x.fee end as "defaultFee"
  from session_students x
  join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
  join lessons l on l.tutor_id = s.tutor_id and l.id = s.lesson_id
  join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  -- The students of a session have one currency, so a default fee counts only if it has the same.
  cross join lateral (select l.uses_rates and l.subject_id = s.subject_id as is_lesson) d
  where x.tutor_id = ${tutorId}::uuid and x.fee_source in ('rate', 'subject') and s.status <> 'completed'
    and not ${isCharged}`;

/** Copies the fees of another session to the charged seats of a session whose fees were not entered. */
export async function copyChargedFees(
  tx: Tx,
  tutorId: string,
  fromId: number,
  toId: number,
): Promise<void> {
  await sql`
    update session_students x set fee = f.fee, currency = f.currency, fee_source = f.fee_source
    from session_students f
    where x.tutor_id = ${tutorId}::uuid and x.session_id = ${toId}::int and x.fee_source in ('rate', 'subject')
      and f.tutor_id = x.tutor_id and f.session_id = ${fromId}::int and f.student_id = x.student_id
      and ${isCharged}`.execute(tx);
}

export const automaticSeatsOfSessions = (tx: Tx, tutorId: string, sessionIds: readonly number[]) =>
  toQuery(
    tx,
    sql<AutomaticSeat>`${automaticSeats(tutorId)} and x.session_id = any(${sessionIds}::int[])`,
  );

export const automaticSeatsOfStudents = (tx: Tx, tutorId: string, studentIds: readonly number[]) =>
  toQuery(
    tx,
    sql<AutomaticSeat>`${automaticSeats(tutorId)} and x.student_id = any(${studentIds}::int[])`,
  );

export interface SeatFee extends SeatRef {
  fee: number | null;
  currency: string;
  feeSource: FeeSource;
}

export async function updateSeatFees(
  tx: Tx,
  tutorId: string,
  seats: readonly SeatFee[],
): Promise<void> {
  if (seats.length === 0) return;
  const column = <K extends keyof SeatFee>(key: K) => seats.map((seat) => seat[key]);
  await sql`
    update session_students x set fee = f.fee, currency = f.currency, fee_source = f.fee_source
    from unnest(${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('fee')}::int[],
      ${column('currency')}::text[], ${column('feeSource')}::text[]) as f(session_id, student_id, fee, currency, fee_source)
    where x.tutor_id = ${tutorId}::uuid and x.session_id = f.session_id and x.student_id = f.student_id`.execute(
    tx,
  );
}
