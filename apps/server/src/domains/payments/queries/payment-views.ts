import type { DateRange } from '@lessonbook/contract/report-periods';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { isFiltered, isWithin, type LessonFilter, moneyReceivedFor } from './money-received.ts';

export interface PaymentView {
  id: number;
  kind: string;
  familyId: number;
  familyName: string;
  amount: number;
  currency: string;
  method: string;
  paidOn: string;
  note: string | null;
  reversed: boolean;
  refunded: number;
  unallocated: number;
  studentIds: number[];
  students: string[];
}

/**
 * The students whose charges a payment covers, or the payer's students if it covers none. Arrays, so that charges and
 * students are always looked up by primary key. CASE instead of COALESCE, which PostgreSQL does not regard as leakproof:
 * under row-level security it would read the allocations of all tutors.
 */
const paymentStudents = sql`
  lateral (
    select coalesce(charged.ids, payers.ids, '{}') as ids, coalesce(charged.names, payers.names, '{}') as names
    from (
      select array_agg(st.id order by st.name, st.id) as ids, array_agg(st.name order by st.name, st.id) as names
      from students st
      where st.tutor_id = p.tutor_id and st.id = any(array(
        select c.student_id from charges c
        where c.tutor_id = p.tutor_id and c.id = any(array(
          select a.charge_id from allocations a
          where a.tutor_id = p.tutor_id and a.amount > 0
            and a.payment_id = case when p.refunds_id is null then p.id else p.refunds_id end))))) as charged,
    lateral (
      select array_agg(st.id order by st.name, st.id) as ids, array_agg(st.name order by st.name, st.id) as names
      from students st
      where charged.ids is null and st.tutor_id = f.tutor_id and st.id = any(array(
        select sp.student_id from student_payers sp where sp.tutor_id = f.tutor_id and sp.family_id = f.id
        union all select co.student_id))
    ) as payers
  ) as payment_students`;

const columns = sql`
  p.id, case when reversal.kind = 'dispute' then 'dispute' else p.kind end as kind, p.family_id as "familyId", co.name as "familyName", p.amount, p.currency, p.method,
  p.paid_on as "paidOn", p.note, p.reversed, p.refunded, p.unallocated,
  payment_students.ids as "studentIds", payment_students.names as students`;

const joins = sql`
  join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
  join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
  left join card_reversals reversal on reversal.tutor_id = p.tutor_id and reversal.payment_id = p.id`;

/**
 * Payments and refunds between two dates, newest first, excluding reversed ones. With a filter, only those that paid for
 * the student or the subject, each with the part that did so.
 */
export function paymentsBetween(
  tx: Tx,
  tutorId: string,
  range: DateRange,
  filter: LessonFilter,
  page: { limit: number; offset: number } | null,
) {
  const paging = page === null ? sql`` : sql`limit ${page.limit}::int offset ${page.offset}::int`;
  const selected = isFiltered(filter)
    ? sql`
      select p.*, money.amount as share from (${moneyReceivedFor(tutorId, range, filter)}) as money
      join payments p on p.tutor_id = ${tutorId}::uuid and p.id = money.id`
    : sql`
      select p.*, null::int8 as share from payments p
      where p.tutor_id = ${tutorId}::uuid and p.kind in ('payment', 'refund') and not p.reversed and p.method <> 'opening'
        and ${isWithin(sql.ref('p.paid_on'), range)}`;
  return queryFromSql(
    tx,
    sql<PaymentView & { share: number | null }>`
    select ${columns}, p.share
    from (${selected} order by p.paid_on desc, p.id desc ${paging}) as p ${joins}, ${paymentStudents}
    order by p.paid_on desc, p.id desc`,
  );
}

export const paymentView = (tx: Tx, tutorId: string, id: number) =>
  queryFromSql(
    tx,
    sql<PaymentView>`
    select ${columns} from payments p ${joins}, ${paymentStudents}
    where p.tutor_id = ${tutorId}::uuid and p.id = ${id}::int and p.kind <> 'reversal'`,
  );

export interface CoveredCharge {
  chargeId: number;
  kind: string;
  sessionId: number | null;
  studentId: number | null;
  studentName: string | null;
  subjectName: string | null;
  description: string | null;
  date: string;
  amount: number;
  outstanding: number;
}

/** The charges to which a payment is allocated. */
export const coveredCharges = (tx: Tx, tutorId: string, paymentId: number) =>
  queryFromSql(
    tx,
    sql<CoveredCharge>`
    select c.id as "chargeId", c.kind, c.session_id as "sessionId", c.student_id as "studentId", st.name as "studentName", b.name as "subjectName",
      c.description, c.due_date as date, paid.amount, c.outstanding
    from (
      select charge_id, sum(amount)::int8 as amount from allocations
      where tutor_id = ${tutorId}::uuid and payment_id = ${paymentId}::int
      group by charge_id having sum(amount) > 0
    ) as paid
    join charges c on c.tutor_id = ${tutorId}::uuid and c.id = paid.charge_id
    left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
    left join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
    left join students st on st.tutor_id = c.tutor_id and st.id = c.student_id
    order by c.due_date, c.id`,
  );

export const refundsForPayment = (tx: Tx, tutorId: string, paymentId: number) =>
  queryFromSql(
    tx,
    sql<{ id: number; kind: 'refund' | 'dispute'; amount: number; date: string }>`
    select p.id, coalesce(r.kind, 'refund') as kind, p.amount, p.paid_on as date
    from payments p
    left join card_reversals r on r.tutor_id = p.tutor_id and r.payment_id = p.id
    where p.tutor_id = ${tutorId}::uuid and p.refunds_id = ${paymentId}::int and not p.reversed
    order by p.id`,
  );

/** The account's latest payment that is not reversed, excluding opening credit. */
export const latestPayment = (tx: Tx, tutorId: string, familyId: number) =>
  tx
    .selectFrom('payments')
    .where('tutor_id', '=', tutorId)
    .where('family_id', '=', familyId)
    .where('kind', '=', sql.lit('payment'))
    .where('reversed', '=', sql.lit(false))
    .where('method', '<>', sql.lit('opening'))
    .select(['id', 'currency', 'method', 'paid_on as date', 'created_at as createdAt'])
    .select(sql<number>`amount - refunded`.as('amount'))
    .orderBy('id', 'desc')
    .limit(1);

/** The method and currency of the last payment that was recorded manually. */
export const lastManualPayment = (tx: Tx, tutorId: string, familyId: number) =>
  tx
    .selectFrom('payments')
    .where('tutor_id', '=', tutorId)
    .where('family_id', '=', familyId)
    .where('kind', '=', sql.lit('payment'))
    .where('reversed', '=', sql.lit(false))
    .where('method', 'in', [sql.lit('cash'), sql.lit('bank_transfer'), sql.lit('other')])
    .select(['method', 'currency'])
    .orderBy('id', 'desc')
    .limit(1);
