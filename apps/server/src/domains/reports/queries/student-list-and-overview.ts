import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type {
  StudentDebt,
  StudentListItem,
} from '@lessonbook/contract/student-overview-and-timeline';
import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { dueDate, heldAmount } from '../../payments/service/charges.ts';

/** The tutor's current date. */
const today = (tutorId: string, now: Date) => sql`(
  select (${now}::timestamptz at time zone time_zone)::date from tutors where tutor_id = ${tutorId}::uuid)`;

/**
 * The next session of each current lesson of the student in alias `s`. By lesson, so that a page does not read all sessions
 * of its students.
 */
const upcomingSessions = (now: Date, currentDate: RawBuilder<unknown>) => sql`
  lesson_students member
  cross join lateral (
    select x.id, x.date, x.start_time, x.end_time, x.starts_at, x.subject_id from sessions x
    where x.tutor_id = member.tutor_id and x.lesson_id = member.lesson_id and x.status = 'scheduled'
      and x.starts_at > ${now}::timestamptz - interval '1 day' and x.ends_at > ${now}::timestamptz
      and exists (select from session_students seat where seat.tutor_id = x.tutor_id and seat.session_id = x.id
        and seat.student_id = member.student_id and seat.state = 'expected')
    order by x.starts_at, x.id limit 1) upcoming
  join subjects on subjects.tutor_id = member.tutor_id and subjects.id = upcoming.subject_id
  where member.tutor_id = s.tutor_id and member.student_id = s.id
    and (member.to_date is null or member.to_date >= ${currentDate})`;

const debts = (currentDate: RawBuilder<unknown>) => sql<StudentDebt[]>`coalesce((
  select jsonb_agg(jsonb_build_object('currency', open.currency, 'owed', open.owed, 'overdue', open.overdue,
    'dueOn', open.due_on, 'withoutDueDate', open.without_due_date) order by open.currency)
  from (
    select c.currency, sum(c.outstanding) as owed, min(due.date) as due_on,
      coalesce(sum(c.outstanding) filter (where due.date is null), 0) as without_due_date,
      coalesce(sum(c.outstanding - due.held) filter (where due.date < ${currentDate}), 0) as overdue
    from charges c
    left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
    cross join lateral (select ${dueDate('c', 'i')} as date, ${heldAmount('c')} as held) as due
    where c.tutor_id = s.tutor_id and c.student_id = s.id and c.outstanding > 0
    group by c.currency) as open), '[]')`;

/** A page of the students who are not archived. */
export const studentListPage = (tx: Tx, tutorId: string, now: Date, { limit, after }: PageQuery) =>
  queryFromSql(
    tx,
    sql<StudentListItem>`
      select s.id, s.name, s.school_year as "schoolYear", s.status, s.left_on as "leftOn",
        coalesce(next.subjects, array_remove(array[s.subject], null)) as subjects, next.session as "nextSession",
        (select jsonb_build_object('fromDate', t.from_date, 'toDate', t.to_date) from time_off t
          where t.tutor_id = s.tutor_id and t.student_id = s.id and not t.is_departure
          order by t.from_date desc limit 1) as pause,
        array(select c.name from contact_access a
          join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
          where a.tutor_id = s.tutor_id and a.student_id = s.id order by c.id <> s.contact_id, c.id) as "contactNames",
        ${debts(sql`day.today`)} as debts
      from students s
      cross join (select ${today(tutorId, now)} as today) as day
      cross join lateral (
        select array_agg(distinct subjects.name) as subjects,
          (array_agg(jsonb_build_object('id', upcoming.id, 'date', upcoming.date, 'startTime', upcoming.start_time,
            'endTime', upcoming.end_time, 'subjectColor', subjects.color) order by upcoming.starts_at, upcoming.id))[1] as session
        from ${upcomingSessions(now, sql`day.today`)}) as next
      where s.tutor_id = ${tutorId}::uuid and s.id = any(array(
        select id from students
        where tutor_id = ${tutorId}::uuid and id > ${after}::int and archived_at is null
        order by id limit ${limit}::int))
      order by s.id`,
  );

interface OverviewRecord {
  since: string;
  completedLessons: number;
  nextSessionId: number | null;
  debts: StudentDebt[];
}

/** What the page of one student shows besides the student. */
export const overviewOfStudent = (tx: Tx, tutorId: string, studentId: number, now: Date) =>
  queryFromSql(
    tx,
    sql<OverviewRecord>`
      select coalesce(taught.first_date, (s.created_at at time zone tutors.time_zone)::date) as since,
        taught.completed as "completedLessons", ${debts(today(tutorId, now))} as debts,
        (select upcoming.id from ${upcomingSessions(now, today(tutorId, now))}
          order by upcoming.starts_at, upcoming.id limit 1) as "nextSessionId"
      from students s
      join tutors on tutors.tutor_id = s.tutor_id
      cross join lateral (
        select min(x.date) as first_date, count(*) filter (where x.status = 'completed') as completed
        from session_students seat
        join sessions x on x.tutor_id = seat.tutor_id and x.id = seat.session_id
        where seat.tutor_id = s.tutor_id and seat.student_id = s.id and seat.state = 'expected'
          and x.status in ('scheduled', 'completed')) as taught
      where s.tutor_id = ${tutorId}::uuid and s.id = ${studentId}::int`,
  );

interface LastPayment {
  date: string;
  amount: number;
  currency: StudentDebt['currency'];
}

export const lastPaymentForStudent = (tx: Tx, tutorId: string, studentId: number) =>
  queryFromSql(
    tx,
    sql<LastPayment>`
      select p.paid_on as date, sum(a.amount)::int8 as amount, p.currency
      from charges c
      join allocations a on a.tutor_id = c.tutor_id and a.charge_id = c.id
      join payments p on p.tutor_id = a.tutor_id and p.id = a.payment_id
      where c.tutor_id = ${tutorId}::uuid and c.student_id = ${studentId}::int and not p.reversed
      group by p.id, p.paid_on, p.currency
      having sum(a.amount) > 0
      order by p.paid_on desc, p.id desc limit 1`,
  );
