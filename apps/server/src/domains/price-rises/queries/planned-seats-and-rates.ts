import type { FeeSource } from '@lessonbook/contract/fee-source';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface PlannedSeat {
  sessionId: number;
  date: string;
  studentId: number;
  studentName: string;
  subjectId: number;
  subjectName: string;
  fee: number | null;
  currency: string;
  feeSource: FeeSource;
  isCharged: boolean;
}

type SeatValues = [
  sessionId: number,
  date: string,
  fee: number | null,
  currency: string,
  feeSource: FeeSource,
  isCharged: boolean,
];

interface SeatsOfStudent {
  studentId: number;
  studentName: string;
  subjectId: number;
  subjectName: string;
  seats: SeatValues[];
}

/**
 * The seats of scheduled sessions on or after a date, in the order of the dates. There is a row for each student and subject,
 * because thousands of rows would take longer to read than a list in JSON.
 */
export const plannedSeats = (tx: Tx, tutorId: string, from: string) =>
  queryFromSql(
    tx,
    sql<SeatsOfStudent>`
      select x.student_id as "studentId", st.name as "studentName", s.subject_id as "subjectId", b.name as "subjectName",
        json_agg(json_build_array(s.id, s.date, x.fee, x.currency, x.fee_source, exists (
          select from charges c where c.tutor_id = x.tutor_id and c.session_id = x.session_id and c.student_id = x.student_id
            and c.kind in ('lesson', 'cancellation') and not c.reversed)) order by s.starts_at, s.id) as seats
      from sessions s
      join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected'
      join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      where s.tutor_id = ${tutorId}::uuid and s.status = 'scheduled' and s.date >= ${from}::date
      group by x.student_id, st.name, s.subject_id, b.name
      order by min(s.starts_at), min(s.id), min(x.position), x.student_id`,
  );

export const toPlannedSeats = ({ seats, ...pair }: SeatsOfStudent): PlannedSeat[] =>
  seats.map(([sessionId, date, fee, currency, feeSource, isCharged]) => ({
    ...pair,
    sessionId,
    date,
    fee,
    currency,
    feeSource,
    isCharged,
  }));

export interface CurrentRate {
  studentId: number;
  studentName: string;
  subjectId: number;
  subjectName: string;
  amount: number;
  currency: string;
  unit: string;
  validFrom: string;
}

/** The rates of students who have lessons on or after a date, for subjects that are not archived, in the subject's currency. */
export const currentRates = (tx: Tx, tutorId: string, from: string) =>
  queryFromSql(
    tx,
    sql<CurrentRate>`
      select r.student_id as "studentId", st.name as "studentName", r.subject_id as "subjectId", b.name as "subjectName",
        r.amount, r.currency, r.unit, r.valid_from as "validFrom"
      from rates r
      join students st on st.tutor_id = r.tutor_id and st.id = r.student_id and st.archived_at is null
        and (st.status <> 'left' or st.left_on >= ${from}::date)
      join subjects b on b.tutor_id = r.tutor_id and b.id = r.subject_id and b.archived_at is null and b.currency = r.currency
      where r.tutor_id = ${tutorId}::uuid order by r.id`,
  );

/** Who pays for each student on a date. */
export const payersOn = (tx: Tx, tutorId: string, date: string) =>
  queryFromSql(
    tx,
    sql<{ studentId: number; familyId: number }>`
      select p.student_id as "studentId", p.family_id as "familyId" from student_payers p
      where p.tutor_id = ${tutorId}::uuid and p.from_date = (
        select max(latest.from_date) from student_payers latest where latest.tutor_id = p.tutor_id
          and latest.student_id = p.student_id and latest.from_date <= ${date}::date)
      order by p.family_id, p.student_id`,
  );
