import type { DateRange } from '@lessonbook/contract/report-periods';
import { type RawBuilder, sql } from 'kysely';

/** Limits a report to a student or a subject. */
export interface LessonFilter {
  studentId?: number | undefined;
  subjectId?: number | undefined;
}

export const isFiltered = ({ studentId, subjectId }: LessonFilter): boolean =>
  studentId !== undefined || subjectId !== undefined;

/** A condition that the date in a column is within a range, which may be open-ended. */
export const isWithin = (column: RawBuilder<unknown>, { from, to }: DateRange) => sql`
  ${from === null ? sql`true` : sql`${column} >= ${from}::date`}
  and ${to === null ? sql`true` : sql`${column} <= ${to}::date`}`;

/** Payments and refunds in a date range, excluding reversed ones and opening balances. */
export const moneyReceived = (tutorId: string, range: DateRange) => sql`
  select p.id, p.kind, p.amount, p.currency, p.paid_on from payments p
  where p.tutor_id = ${tutorId}::uuid and p.kind in ('payment', 'refund') and not p.reversed and p.method <> 'opening'
    and ${isWithin(sql.ref('p.paid_on'), range)}`;

/**
 * The money received by charge. A payment is attributed to the charges it is allocated to, and a refund to the charges
 * whose allocations it reverses; reversed refunds are ignored.
 */
export const moneyReceivedByCharge = (tutorId: string, range: DateRange) => sql`
  with money as materialized (${moneyReceived(tutorId, range)})
  select m.id, m.kind, m.currency, m.paid_on, a.charge_id, a.amount from money m
  join allocations a on a.tutor_id = ${tutorId}::uuid and a.payment_id = m.id
  left join payments r on r.tutor_id = a.tutor_id and r.id = a.refund_id
  where m.kind = 'payment' and (a.refund_id is null or r.reversed)
  union all
  select m.id, m.kind, m.currency, m.paid_on, a.charge_id, a.amount from money m
  join allocations a on a.tutor_id = ${tutorId}::uuid and a.refund_id = m.id
  where m.kind = 'refund'`;

/** Joins each row of `part`, a result of moneyReceivedByCharge, to its charge and session, and applies the filter. */
export const joinChargeOfPart = (tutorId: string, { studentId, subjectId }: LessonFilter) => sql`
  join charges c on c.tutor_id = ${tutorId}::uuid and c.id = part.charge_id
    ${studentId === undefined ? sql`` : sql`and c.student_id = ${studentId}::int`}
  ${subjectId === undefined ? sql`left join` : sql`join`} sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
    ${subjectId === undefined ? sql`` : sql`and s.subject_id = ${subjectId}::int`}`;

/** Payments and refunds in a date range; with a filter, the part of each that paid for the student or the subject. */
export const moneyReceivedFor = (tutorId: string, range: DateRange, filter: LessonFilter) =>
  isFiltered(filter)
    ? sql`
      select part.id, part.kind, sum(part.amount)::int8 as amount, part.currency, part.paid_on
      from (${moneyReceivedByCharge(tutorId, range)}) as part ${joinChargeOfPart(tutorId, filter)}
      group by part.id, part.kind, part.currency, part.paid_on
      having sum(part.amount) <> 0`
    : moneyReceived(tutorId, range);
