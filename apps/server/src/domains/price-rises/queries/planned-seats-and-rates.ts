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

/** The seats of scheduled sessions on or after a date, in the order of the dates. */
export const plannedSeats = (tx: Tx, tutorId: string, from: string) =>
  queryFromSql(
    tx,
    sql<PlannedSeat>`
      select x.session_id as "sessionId", s.date, x.student_id as "studentId", st.name as "studentName",
        s.subject_id as "subjectId", b.name as "subjectName", x.fee, x.currency, x.fee_source as "feeSource",
        exists (
          select from charges c where c.tutor_id = x.tutor_id and c.session_id = x.session_id and c.student_id = x.student_id
            and c.kind in ('lesson', 'cancellation') and not c.reversed) as "isCharged"
      from sessions s
      join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected'
      join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      where s.tutor_id = ${tutorId}::uuid and s.status = 'scheduled' and s.date >= ${from}::date
      order by s.starts_at, s.id, x.position`,
  );

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
