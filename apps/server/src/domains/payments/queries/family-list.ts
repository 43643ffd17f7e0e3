import type { Currency } from '@lessonbook/contract/money';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { dueDate } from './due-date.ts';
import type { BalanceRecord } from './family-balances.ts';
import { heldAmount } from './returned-payments-and-charges-on-hold.ts';

export interface FamilyListRecord {
  id: number;
  name: string;
  transferClaimedAt: Date | null;
  /** Includes archived students. */
  students: string[];
  /** Students who are not archived. */
  children: { id: number; name: string }[];
  balances: BalanceRecord[];
}

/** A page of the accounts with a current student, debt or credit. */
export const familiesPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  familyList(
    tx,
    tutorId,
    sql`
      select f.id from families f
      where f.tutor_id = ${tutorId}::uuid and f.id > ${after}::int
        and (exists (select from student_payers p
            join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
            where p.tutor_id = f.tutor_id and p.family_id = f.id and s.archived_at is null)
          or exists (select from charges c where c.tutor_id = f.tutor_id and c.family_id = f.id and c.outstanding > 0)
          or exists (select from payments p where p.tutor_id = f.tutor_id and p.family_id = f.id and p.unallocated > 0))
      order by f.id limit ${limit}::int`,
  );

/** A page of the accounts that owe money. */
export const owingFamiliesPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  familyList(
    tx,
    tutorId,
    sql`
      select distinct c.family_id from charges c
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.family_id > ${after}::int
      order by c.family_id limit ${limit}::int`,
  );

export const familiesByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  familyList(tx, tutorId, sql`select unnest(${ids}::int[])`);

/** Reads students and balances only for the accounts of the page. */
const familyList = (tx: Tx, tutorId: string, pageIds: ReturnType<typeof sql>) =>
  queryFromSql(
    tx,
    // An array, so that the page is always looked up by primary key.
    sql<FamilyListRecord>`
      select f.id, co.name, f.transfer_claimed_at as "transferClaimedAt",
        account_students.names as students, account_students.children, account_balances.balances
      from families f
      join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
      cross join lateral (
        select coalesce(array_agg(s.name order by s.name, s.id), '{}') as names,
          coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
            filter (where s.archived_at is null), '[]') as children
        from (
          select s.name, s.id, s.archived_at from student_payers p
          join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
          where p.tutor_id = f.tutor_id and p.family_id = f.id
          union
          select s.name, s.id, s.archived_at from students s where s.tutor_id = f.tutor_id and s.id = co.student_id
        ) as s) as account_students
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('currency', b.currency, 'owed', b.owed, 'credit', b.credit,
          'oldestDueDate', b.oldest_due_date) order by b.currency), '[]') as balances
        from (
          select currency, sum(owed) as owed, sum(credit) as credit, min(due_date) as oldest_due_date
          from (
            select c.currency, c.outstanding as owed, 0 as credit, c.due_date from charges c
            where c.tutor_id = f.tutor_id and c.family_id = f.id and c.outstanding > 0
            union all
            select p.currency, 0, p.unallocated, null from payments p
            where p.tutor_id = f.tutor_id and p.family_id = f.id and p.unallocated > 0
          ) as open group by currency) as b) as account_balances
      where f.tutor_id = ${tutorId}::uuid and f.id = any(array(${pageIds}))
      order by f.id`,
  );

export interface DueRecord {
  familyId: number;
  currency: string;
  overdue: number;
  overdueSince: string | null;
  dueOn: string | null;
  uninvoiced: number;
  withoutDueDate: number;
}

/** When the outstanding amounts of these accounts became overdue or will be due, by currency. */
export const familyDueAmounts = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  now: Date,
) =>
  queryFromSql(
    tx,
    sql<DueRecord>`
      select family_id as "familyId", currency,
        coalesce(sum(outstanding - held) filter (where due < today), 0)::int8 as overdue,
        min(due) filter (where due < today and outstanding > held) as "overdueSince",
        min(due) filter (where due >= today) as "dueOn",
        coalesce(sum(outstanding) filter (where is_uninvoiced), 0)::int8 as uninvoiced,
        coalesce(sum(outstanding) filter (where due is null), 0)::int8 as "withoutDueDate"
      from (
        select c.family_id, c.currency, c.outstanding, ${heldAmount('c')} as held,
          c.invoice_id is null and c.kind <> 'opening' as is_uninvoiced,
          (select (${now}::timestamptz at time zone t.time_zone)::date from tutors t where t.tutor_id = ${tutorId}::uuid) as today,
          ${dueDate('c', 'i')} as due
        from charges c
        left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
        where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.family_id = any(${familyIds}::int[])
      ) as c
      group by family_id, currency
      order by family_id, currency`,
  );

/** Excludes amounts on hold, and accounts that owe nothing. */
export const owedAmounts = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<{ familyId: number; currency: Currency; owed: number }>`
      select c.family_id as "familyId", c.currency, sum(c.outstanding - held.amount)::int8 as owed
      from charges c cross join lateral (select ${heldAmount('c')} as amount) as held
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.family_id = any(${familyIds}::int[])
      group by c.family_id, c.currency
      having sum(c.outstanding - held.amount) > 0
      order by c.family_id, c.currency`,
  );

/** The next session of the current students of each of these accounts. */
export const nextLessonByFamily = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  now: Date,
) =>
  queryFromSql(
    tx,
    sql<{ familyId: number; sessionId: number; date: string; startTime: string }>`
      select distinct on (p.family_id) p.family_id as "familyId", s.id as "sessionId", s.date, s.start_time as "startTime"
      from student_payers p
      join students st on st.tutor_id = p.tutor_id and st.id = p.student_id and st.archived_at is null
      join session_students x on x.tutor_id = p.tutor_id and x.student_id = p.student_id and x.state = 'expected'
      join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
      where p.tutor_id = ${tutorId}::uuid and p.family_id = any(${familyIds}::int[])
        and s.status = 'scheduled' and s.ends_at > ${now}::timestamptz
      order by p.family_id, s.starts_at, s.id`,
  );
