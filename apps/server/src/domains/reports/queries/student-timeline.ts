import type {
  TimelineEntry,
  TimelineFilter,
} from '@lessonbook/contract/student-overview-and-timeline';
import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

interface Page {
  show: TimelineFilter;
  limit: number;
  offset: number;
}

/**
 * Lessons up to today and the next one. A lesson that was moved is shown on its new date only, and sessions that were
 * cancelled because their lesson was deleted are hidden, as in the calendar.
 */
const lessons = (by: {
  tutorId: string;
  studentId: number;
  today: string;
  nextId: number | null;
}) => sql`
  select s.date, s.start_time as sort_time, s.id, jsonb_build_object(
    'kind', 'lesson', 'id', s.id, 'date', s.date, 'startTime', s.start_time, 'endTime', s.end_time,
    'subjectName', subject.name, 'groupName', case when exists (
      select from session_students other where other.tutor_id = s.tutor_id and other.session_id = s.id
        and other.student_id <> seat.student_id) then s.title end,
    'status', case when seat.state = 'cancelled' then 'cancelled' else s.status end,
    'note', s.notes, 'attendance', seat.attendance,
    'cancelledBy', coalesce(seat.cancelled_by, s.cancelled_by), 'cancelReason', coalesce(seat.cancel_reason, s.cancel_reason),
    'isTimeOff', coalesce(seat.time_off_id, s.time_off_id) is not null,
    'movedFrom', case when origin.id is not null
      then jsonb_build_object('date', origin.date, 'startTime', origin.start_time) end,
    'fee', seat.fee, 'currency', seat.currency, 'charged', charge.charged, 'outstanding', charge.outstanding,
    'invoice', charge.invoice) as entry, s.notes is not null as has_note, charge.charged is not null as has_money
  from session_students seat
  join sessions s on s.tutor_id = seat.tutor_id and s.id = seat.session_id
  join subjects subject on subject.tutor_id = s.tutor_id and subject.id = s.subject_id
  join lessons lesson on lesson.tutor_id = s.tutor_id and lesson.id = s.lesson_id
  left join sessions origin on origin.tutor_id = s.tutor_id and origin.id = s.rescheduled_from_id
  cross join lateral (
    select sum(c.amount - c.credited - c.written_off) as charged, sum(c.outstanding) as outstanding,
      (array_agg(jsonb_build_object('id', i.id, 'number', i.number)) filter (where i.id is not null))[1] as invoice
    from charges c
    left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
    where c.tutor_id = s.tutor_id and c.session_id = s.id and c.student_id = seat.student_id
      and c.kind in ('lesson', 'cancellation', 'travel') and not c.reversed) as charge
  where seat.tutor_id = ${by.tutorId}::uuid and seat.student_id = ${by.studentId}::int
    and (s.date <= ${by.today}::date or s.id = ${by.nextId}::int) and s.status <> 'rescheduled'
    and (lesson.archived_at is null or s.status <> 'cancelled' or s.cancelled_by <> 'tutor' or s.ends_at <= lesson.archived_at)
    -- Lessons that were cancelled because the student left, unless they were charged.
    and (seat.is_billable or not exists (
      select from time_off t where t.tutor_id = seat.tutor_id and t.id = seat.time_off_id and t.is_departure))`;

/** The student's part of each payment and refund. The allocations that a refund releases refer to the refund. */
const payments = (by: { tutorId: string; studentId: number }) => sql`
  select p.paid_on as date, '24:00' as sort_time, p.id, jsonb_build_object(
    'kind', 'payment', 'id', coalesce(p.refunds_id, p.id), 'date', p.paid_on, 'isRefund', p.kind = 'refund', 'method', p.method,
    'amount', abs(share.amount), 'total', abs(p.amount), 'currency', p.currency, 'familyId', p.family_id,
    'familyName', payer.name) as entry, false as has_note, true as has_money
  from (
    select coalesce(a.refund_id, a.payment_id) as payment_id, sum(a.amount) as amount
    from charges c
    join allocations a on a.tutor_id = c.tutor_id and a.charge_id = c.id
    where c.tutor_id = ${by.tutorId}::uuid and c.student_id = ${by.studentId}::int
    group by 1 having sum(a.amount) <> 0) as share
  join payments p on p.tutor_id = ${by.tutorId}::uuid and p.id = share.payment_id
  join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
  join contacts payer on payer.tutor_id = f.tutor_id and payer.id = f.contact_id
  where p.kind in ('payment', 'refund') and not p.reversed`;

/** Issued invoices and credit notes with lines for the student. */
const invoices = (by: { tutorId: string; studentId: number }) => sql`
  select i.issued_on as date, '23:59' as sort_time, i.id, jsonb_build_object(
    'kind', 'invoice', 'id', i.id, 'date', i.issued_on, 'number', i.number, 'isCreditNote', i.kind = 'credit_note',
    'amount', lines.amount, 'outstanding', lines.outstanding, 'currency', i.currency, 'dueOn', i.due_on) as entry,
    false as has_note, true as has_money
  from (
    select l.invoice_id, sum(l.amount) as amount, coalesce(sum(c.outstanding), 0) as outstanding
    from invoice_lines l
    left join charges c on c.tutor_id = l.tutor_id and c.id = l.charge_id and c.invoice_id = l.invoice_id
    where l.tutor_id = ${by.tutorId}::uuid and l.student_id = ${by.studentId}::int
    group by l.invoice_id) as lines
  join invoices i on i.tutor_id = ${by.tutorId}::uuid and i.id = lines.invoice_id
  where i.issued_at is not null and i.voided_at is null`;

const FILTERS: Record<TimelineFilter, RawBuilder<unknown>> = {
  all: sql`true`,
  notes: sql`has_note`,
  money: sql`has_money`,
};

/** The entries of a student's timeline, newest first. */
export const studentTimeline = (
  tx: Tx,
  by: { tutorId: string; studentId: number; today: string; nextId: number | null },
  { show, limit, offset }: Page,
) =>
  queryFromSql(
    tx,
    sql<{ entry: TimelineEntry }>`
      select entry from (${lessons(by)} union all ${payments(by)} union all ${invoices(by)}) as entries
      where ${FILTERS[show]}
      order by date desc, sort_time desc, id desc
      limit ${limit}::int offset ${offset}::int`,
  );
