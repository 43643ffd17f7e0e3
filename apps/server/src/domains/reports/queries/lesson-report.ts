import type { DateRange } from '@lessonbook/contract/report-periods';
import type { Attendance, SessionStatus } from '@lessonbook/contract/sessions';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { sessionRows } from '../../lessons/service/read.ts';
import { isWithin, type LessonFilter } from '../../payments/service/read-payments.ts';
import type { LessonTotal } from '../rules/lesson-report.ts';

/** The tutor's lessons in a date range, optionally of one student or subject. */
export interface LessonSelection extends LessonFilter {
  tutorId: string;
  range: DateRange;
}

const isSelected = ({ tutorId, range, subjectId }: LessonSelection) => sql`
  s.tutor_id = ${tutorId}::uuid and ${isWithin(sql.ref('s.date'), range)}
  ${subjectId === undefined ? sql`` : sql`and s.subject_id = ${subjectId}::int`}`;

const seatOfSession = ({ studentId }: LessonSelection) => sql`
  seat.tutor_id = s.tutor_id and seat.session_id = s.id
  ${studentId === undefined ? sql`` : sql`and seat.student_id = ${studentId}::int`}`;

const hasExpectedSeat = (selection: LessonSelection) => sql`
  exists (select from session_students seat where ${seatOfSession(selection)} and seat.state = 'expected')`;

const minutes = sql`(extract(epoch from s.end_time::time - s.start_time::time) / 60)::int`;

const isCancelledByFamily = sql`
  coalesce(seat.cancelled_by, s.cancelled_by) in ('student', 'carer') and s.status <> 'rescheduled'`;

/** Completed and scheduled sessions, each counted once. */
export const lessonTotals = (tx: Tx, selection: LessonSelection) =>
  queryFromSql(
    tx,
    sql<LessonTotal>`
      select x.*, b.name as "subjectName" from (
        select to_char(s.date, 'YYYY-MM') as month, s.subject_id as "subjectId", s.status, count(*) as lessons,
          sum(${minutes})::int8 as minutes
        from sessions s
        where ${isSelected(selection)} and s.status in ('completed', 'scheduled') and ${hasExpectedSeat(selection)}
        group by 1, 2, 3
      ) as x
      join subjects b on b.tutor_id = ${selection.tutorId}::uuid and b.id = x."subjectId"
      order by x.month, b.name, x."subjectId", x.status`,
  );

const isTaught = sql`seat.state = 'expected' and s.status = 'completed'`;

export interface StudentTotal {
  id: number;
  name: string;
  lessons: number;
  minutes: number;
  bookedMinutes: number;
  attended: number;
  late: number;
  absent: number;
  cancelled: number;
}

/** Each student's hours and attendance in the sessions. */
export const studentTotals = (tx: Tx, selection: LessonSelection) =>
  queryFromSql(
    tx,
    sql<StudentTotal>`
      select x.*, st.name from (
        select seat.student_id as id,
          count(*) filter (where ${isTaught}) as lessons,
          coalesce(sum(${minutes}) filter (where ${isTaught}), 0)::int8 as minutes,
          coalesce(sum(${minutes}) filter (where seat.state = 'expected' and s.status = 'scheduled'), 0)::int8
            as "bookedMinutes",
          count(*) filter (where ${isTaught} and coalesce(seat.attendance, 'attended') = 'attended') as attended,
          count(*) filter (where ${isTaught} and seat.attendance = 'late') as late,
          count(*) filter (where ${isTaught} and seat.attendance = 'absent') as absent,
          count(*) filter (where ${isCancelledByFamily}) as cancelled
        from sessions s join session_students seat on ${seatOfSession(selection)}
        where ${isSelected(selection)}
        group by seat.student_id
      ) as x
      join students st on st.tutor_id = ${selection.tutorId}::uuid and st.id = x.id
      where x.lessons > 0 or x."bookedMinutes" > 0 or x.cancelled > 0
      order by x.minutes desc, x."bookedMinutes" desc, st.name, x.id`,
  );

interface CurrencyAmount {
  currency: string;
  amount: number;
}

/** What was charged for sessions in the range. Charges of scheduled sessions, invoiced in advance, count as booked. */
export const chargedAmounts = (tx: Tx, selection: LessonSelection) =>
  queryFromSql(
    tx,
    sql<CurrencyAmount>`
      select c.currency, sum(c.amount - c.credited)::int8 as amount
      from sessions s join charges c on c.tutor_id = s.tutor_id and c.session_id = s.id
      where ${isSelected(selection)} and s.status <> 'scheduled'
        and c.kind in ('lesson', 'cancellation', 'travel') and not c.reversed
        ${selection.studentId === undefined ? sql`` : sql`and c.student_id = ${selection.studentId}::int`}
      group by c.currency having sum(c.amount - c.credited) > 0
      order by amount desc, c.currency`,
  );

export interface BookedTotal {
  lessons: number;
  minutes: number;
  /** Lessons that have ended. */
  toComplete: number;
}

/** Scheduled sessions. */
export const bookedTotal = (tx: Tx, selection: LessonSelection, now: Date) =>
  queryFromSql(
    tx,
    sql<BookedTotal>`
      select count(*) as lessons, coalesce(sum(${minutes}), 0)::int8 as minutes,
        count(*) filter (where s.ends_at <= ${now}::timestamptz) as "toComplete"
      from sessions s
      where ${isSelected(selection)} and s.status = 'scheduled' and ${hasExpectedSeat(selection)}`,
  );

/** The fees of the students who are expected in scheduled sessions. */
export const bookedFees = (tx: Tx, selection: LessonSelection) =>
  queryFromSql(
    tx,
    sql<CurrencyAmount>`
      select seat.currency, sum(seat.fee)::int8 as amount
      from sessions s join session_students seat on ${seatOfSession(selection)}
      where ${isSelected(selection)} and s.status = 'scheduled' and seat.state = 'expected'
      group by seat.currency having sum(seat.fee) > 0
      order by amount desc, seat.currency`,
  );

/** Sessions that the report counts: completed, scheduled, or cancelled by the family. */
const isInReport = (selection: LessonSelection) => sql`
  ${isSelected(selection)} and exists (
    select from session_students seat where ${seatOfSession(selection)}
      and (s.status in ('completed', 'scheduled') and seat.state = 'expected' or ${isCancelledByFamily}))`;

/** A page of sessions, newest first. The limit counts sessions, so it applies to their ids. */
export const sessionsInReport = (
  tx: Tx,
  selection: LessonSelection,
  { limit, offset }: { limit: number; offset: number },
) =>
  sessionRows(tx, selection.tutorId)
    .where(
      'sessions.id',
      '=',
      sql<number>`any(array(select s.id from sessions s where ${isInReport(selection)}
        order by s.date desc, s.start_time desc, s.id desc limit ${limit}::int offset ${offset}::int))`,
    )
    .orderBy('sessions.date', 'desc')
    .orderBy('sessions.start_time', 'desc')
    .orderBy('sessions.id', 'desc');

export interface ExportedSeat {
  date: string;
  startTime: string;
  endTime: string;
  minutes: number;
  studentName: string;
  subjectName: string;
  status: SessionStatus;
  attendance: Attendance | null;
  charged: number | null;
  currency: string;
}

/** A row for each student in the reported sessions. */
export const exportedSeats = (tx: Tx, selection: LessonSelection) =>
  queryFromSql(
    tx,
    sql<ExportedSeat>`
      select s.date, s.start_time as "startTime", s.end_time as "endTime", ${minutes} as minutes,
        st.name as "studentName", b.name as "subjectName",
        case when seat.state = 'cancelled' then 'cancelled' else s.status end as status, seat.attendance,
        (select sum(c.amount - c.credited)::int8 from charges c
          where c.tutor_id = s.tutor_id and c.session_id = s.id and c.student_id = seat.student_id
            and c.kind in ('lesson', 'cancellation', 'travel') and not c.reversed) as charged,
        seat.currency
      from sessions s
      join session_students seat on ${seatOfSession(selection)}
      join students st on st.tutor_id = s.tutor_id and st.id = seat.student_id
      join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
      where ${isInReport(selection)}
      order by s.date, s.start_time, s.id, seat.position`,
  );
