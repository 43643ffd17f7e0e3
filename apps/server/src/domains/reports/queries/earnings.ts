import type { DateRange } from '@lessonbook/contract/periods';
import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

/** Payments and refunds in a date range, excluding reversed ones and opening balances. */
function paymentsInRange(tutorId: string, { from, to }: DateRange) {
  return sql`
    select p.id, p.kind, p.amount, p.currency, p.paid_on from payments p
    where p.tutor_id = ${tutorId}::uuid and p.kind in ('payment', 'refund') and not p.reversed and p.method <> 'opening'
      ${from === null ? sql`` : sql`and p.paid_on >= ${from}::date`}
      ${to === null ? sql`` : sql`and p.paid_on <= ${to}::date`}`;
}

export interface CurrencyTotalRecord {
  currency: string;
  received: number;
  refunded: number;
  payments: number;
}

export const totalsByCurrency = (tx: Tx, tutorId: string, range: DateRange) =>
  rawQuery(
    tx,
    sql<CurrencyTotalRecord>`
      select currency, coalesce(sum(amount) filter (where amount > 0), 0)::int8 as received,
        coalesce(-sum(amount) filter (where amount < 0), 0)::int8 as refunded,
        count(*) filter (where amount > 0) as payments
      from (${paymentsInRange(tutorId, range)}) as m group by currency order by currency`,
  );

export const netByMonth = (tx: Tx, tutorId: string, range: DateRange) =>
  rawQuery(
    tx,
    sql<{ month: string; currency: string; net: number }>`
      select to_char(paid_on, 'YYYY-MM') as month, currency, sum(amount)::int8 as net
      from (${paymentsInRange(tutorId, range)}) as m group by 1, 2 order by 1, 2`,
  );

export interface StudentSubjectNetRecord {
  studentId: number | null;
  studentName: string | null;
  subjectId: number | null;
  subjectName: string | null;
  currency: string;
  net: number;
}

/**
 * Net amounts by student and subject. A payment is attributed to the charges it is allocated to, and a refund to the
 * charges whose allocations it reverses; reversed refunds are ignored. Any difference from the total is unallocated.
 */
export const netByStudentAndSubject = (tx: Tx, tutorId: string, range: DateRange) =>
  rawQuery(
    tx,
    sql<StudentSubjectNetRecord>`
      with money as materialized (${paymentsInRange(tutorId, range)}),
      parts as (
        select m.currency, a.charge_id, a.amount from money m
        join allocations a on a.tutor_id = ${tutorId}::uuid and a.payment_id = m.id
        left join payments r on r.tutor_id = a.tutor_id and r.id = a.refund_id
        where m.kind = 'payment' and (a.refund_id is null or r.reversed)
        union all
        select m.currency, a.charge_id, a.amount from money m
        join allocations a on a.tutor_id = ${tutorId}::uuid and a.refund_id = m.id
        where m.kind = 'refund'
      ), sums as (
        select p.currency, c.student_id, s.subject_id, sum(p.amount)::int8 as net
        from parts p
        join charges c on c.tutor_id = ${tutorId}::uuid and c.id = p.charge_id
        left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
        group by p.currency, c.student_id, s.subject_id
      )
      select x.currency, x.student_id as "studentId", st.name as "studentName", x.subject_id as "subjectId",
        b.name as "subjectName", x.net
      from sums x
      left join students st on st.tutor_id = ${tutorId}::uuid and st.id = x.student_id
      left join subjects b on b.tutor_id = ${tutorId}::uuid and b.id = x.subject_id`,
  );
