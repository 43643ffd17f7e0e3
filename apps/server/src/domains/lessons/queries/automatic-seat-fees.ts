import type { FeeSource } from '@lessonbook/contract/fee-source';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { SeatRef } from '../rules/seat-fees-and-rosters.ts';

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
   * The fee if the student has no rate: the subject's default fee when the seat or the lesson was saved, or else its
   * current default fee.
   */
  defaultFee: number | null;
}

/** Whether the seat with the alias `x` has a charge. */
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

/** Copies fees from one session to the charged seats of another, except seats whose fee was entered by the tutor. */
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
  queryFromSql(
    tx,
    sql<AutomaticSeat>`${automaticSeats(tutorId)} and x.session_id = any(${sessionIds}::int[])`,
  );

export const automaticSeatsOfStudents = (tx: Tx, tutorId: string, studentIds: readonly number[]) =>
  queryFromSql(
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
