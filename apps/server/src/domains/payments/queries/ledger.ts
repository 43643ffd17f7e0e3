import type { Currency } from '@lessonbook/contract/money';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface EntryRecord {
  key: string;
  kind: string;
  date: string;
  createdAt: Date;
  author: string;
  description: string | null;
  note: string | null;
  subjectName: string | null;
  studentName: string | null;
  currency: string;
  amount: number;
  balance: number;
  reversed: boolean;
  reverses: string | null;
  chargeId: number | null;
  sessionId: number | null;
  paymentId: number | null;
  method: string | null;
  invoiceId: number | null;
  invoiceNumber: string | null;
  entryCount: number;
}

/** Charges and payments of an account; payments reduce what is owed. */
const accountEntries = (tutorId: string, familyId: number) => sql`
  select 'c' || c.id as key, c.kind, c.due_date as date, c.created_at as "createdAt", c.created_by as author, c.description,
    case when c.kind = 'write_off' then c.description end as note, b.name as "subjectName", st.name as "studentName", c.currency, c.amount, c.reversed, 'c' || c.reverses_id as reverses,
    c.id as "chargeId", c.session_id as "sessionId", null::int as "paymentId", null as method,
    i.id as "invoiceId", i.number as "invoiceNumber"
  from charges c
  left join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
  left join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
  left join students st on st.tutor_id = c.tutor_id and st.id = c.student_id
  left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
  where c.tutor_id = ${tutorId}::uuid and c.family_id = ${familyId}::int
  union all
  select 'p' || p.id, case when p.method = 'opening' and p.kind = 'payment' then 'opening'
      when r.kind = 'dispute' then 'dispute' else p.kind end, p.paid_on,
    p.created_at, p.created_by, null, p.note, null, null, p.currency, -p.amount, p.reversed, 'p' || p.reverses_id, null, null,
    coalesce(p.refunds_id, original.refunds_id, p.reverses_id, p.id), p.method, null, null
  from payments p
  left join payments original on original.tutor_id = p.tutor_id and original.id = p.reverses_id
  left join card_reversals r on r.tutor_id = p.tutor_id and r.payment_id = p.id
  where p.tutor_id = ${tutorId}::uuid and p.family_id = ${familyId}::int`;

/** An account's entries with a running balance, newest first. The balance includes entries on other pages. */
export const familyEntries = (
  tx: Tx,
  tutorId: string,
  familyId: number,
  page: { limit: number; offset: number },
) =>
  queryFromSql(
    tx,
    sql<EntryRecord>`
    select e.*, sum(e.amount) over (partition by e.currency order by e.date, e."createdAt", e.key
        rows between unbounded preceding and current row)::int8 as balance,
      count(*) over () as "entryCount"
    from (${accountEntries(tutorId, familyId)}) as e
    order by e.date desc, e."createdAt" desc, e.key desc
    limit ${page.limit}::int offset ${page.offset}::int`,
  );

export type StatementEntry = Omit<EntryRecord, 'balance' | 'entryCount'>;

/** The entries of a period in order. */
export const entriesBetween = (
  tx: Tx,
  tutorId: string,
  familyId: number,
  { from, to }: { from: string; to: string },
  limit: number,
) =>
  queryFromSql(
    tx,
    sql<StatementEntry>`
    select * from (${accountEntries(tutorId, familyId)}) as e
    where e.date between ${from}::date and ${to}::date
    order by e.currency, e.date, e."createdAt", e.key
    limit ${limit}::int`,
  );

/** What was owed at the start of a date, by currency; negative for a credit. */
export const balancesBefore = (tx: Tx, tutorId: string, familyId: number, date: string) =>
  queryFromSql(
    tx,
    sql<{ currency: string; owed: number }>`
    select e.currency, sum(e.amount)::int8 as owed from (${accountEntries(tutorId, familyId)}) as e
    where e.date < ${date}::date
    group by e.currency having sum(e.amount) <> 0 order by e.currency`,
  );

/** Payments less refunds in a period, by account and currency. Credit from before the tutor used Lessonbook is left out. */
export const paidBetween = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  { from, to }: { from: string; to: string },
) =>
  queryFromSql(
    tx,
    sql<{ familyId: number; currency: Currency; amount: number }>`
    select p.family_id as "familyId", p.currency, sum(p.amount)::int8 as amount from payments p
    where p.tutor_id = ${tutorId}::uuid and p.family_id = any(${familyIds}::int[])
      and p.paid_on between ${from}::date and ${to}::date and p.method <> 'opening'
    group by p.family_id, p.currency having sum(p.amount) <> 0 order by p.family_id, p.currency`,
  );
