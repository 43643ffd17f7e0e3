import type { InvoiceSortKey } from '@lessonbook/contract/invoice-list-filters-and-totals';
import type { InvoiceState } from '@lessonbook/contract/invoices';
import type { TypedAmount } from '@lessonbook/contract/parse-amount';
import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { heldAmount } from '../../payments/service/charges.ts';
import { type InvoiceRecord, selectInvoices } from './invoices.ts';

/** A typed word. Each word has to match some part of the invoice. */
export interface SearchTerm {
  /** A LIKE pattern. */
  number: string;
  /** A regular expression. */
  name: string;
  amount: TypedAmount | null;
}

export interface InvoiceFilter {
  ids?: readonly number[] | undefined;
  familyId?: number | undefined;
  familyIds?: readonly number[] | undefined;
  /** Leaves out drafts and void invoices. */
  isIssued?: boolean | undefined;
  /** Dates of issue; drafts have none and are always included. */
  from?: string | undefined;
  to?: string | undefined;
  terms?: readonly SearchTerm[] | undefined;
}

type StateFilter = InvoiceState | 'open';

export interface InvoiceListQuery extends InvoiceFilter {
  state?: StateFilter | undefined;
  sort?: InvoiceSortKey | undefined;
  direction?: 'asc' | 'desc' | undefined;
  limit: number;
  offset: number;
}

/** Invoices with an unpaid charge. The number of unpaid charges is small, however many invoices there are. */
const unpaidInvoiceIds = (tutorId: string) => sql`
  select c.invoice_id from charges c
  where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.invoice_id is not null`;

/** Invoices with an unpaid charge that the payer is asked for. */
const requestedInvoiceIds = (tutorId: string) => sql`
  select c.invoice_id from charges c
  where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.invoice_id is not null
    and c.outstanding > ${heldAmount('c')}`;

/** Invoices with a charge that was written off, in full or in part. */
const writtenOffInvoiceIds = (tutorId: string) => sql`
  select c.invoice_id from charges c
  where c.tutor_id = ${tutorId}::uuid and c.written_off > 0 and c.invoice_id is not null`;

function stateCondition(tutorId: string, state: StateFilter, today: string) {
  const isIssued = sql`i.kind = 'invoice' and i.issued_on is not null and i.voided_on is null`;
  const isOpen = sql`${isIssued} and i.id in (${unpaidInvoiceIds(tutorId)})`;
  const isLate = sql`coalesce(i.due_on < ${today}::date, false)`;
  switch (state) {
    case 'draft':
      return sql`i.issued_on is null`;
    case 'void':
      return sql`i.voided_on is not null`;
    case 'open':
      return isOpen;
    case 'sent':
      return sql`${isOpen} and not (${isLate} and i.id in (${requestedInvoiceIds(tutorId)}))`;
    case 'overdue':
      return sql`${isIssued} and i.id in (${requestedInvoiceIds(tutorId)}) and ${isLate}`;
    case 'on_hold':
      return sql`${isOpen} and i.id not in (${requestedInvoiceIds(tutorId)})`;
    case 'part_paid':
      return sql`${isOpen} and exists (
        select from charges c where c.tutor_id = i.tutor_id and c.invoice_id = i.id
          and c.kind not in ('reversal', 'credit_note') and c.outstanding < c.amount - c.credited - c.written_off)`;
    case 'paid':
      return sql`${isIssued} and i.id not in (${unpaidInvoiceIds(tutorId)})
        and i.id not in (${writtenOffInvoiceIds(tutorId)})`;
    case 'written_off':
      return sql`${isIssued} and i.id not in (${unpaidInvoiceIds(tutorId)})
        and i.id in (${writtenOffInvoiceIds(tutorId)})`;
    default:
      return state satisfies never;
  }
}

/** The total of each invoice. Reads all lines of the tutor. */
const invoiceTotals = (tutorId: string) => sql`
  select l.invoice_id, sum(l.amount)::int8 as total from invoice_lines l
  where l.tutor_id = ${tutorId}::uuid group by l.invoice_id`;

/** People are matched first, because there are far fewer people than invoices. */
function termCondition(tutorId: string, { number, name, amount }: SearchTerm) {
  const matchesFamily = sql`i.family_id = any(array(
    select f.id from families f join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
    where f.tutor_id = ${tutorId}::uuid and co.name ~ ${name}::text))`;
  const matchesStudent = sql`i.id = any(array(
    select l.invoice_id from students s
    join invoice_lines l on l.tutor_id = s.tutor_id and l.student_id = s.id
    where s.tutor_id = ${tutorId}::uuid and s.erased_at is null and s.name ~ ${name}::text))`;
  const conditions = [sql`i.number ilike ${number}::text`, matchesFamily, matchesStudent];
  if (amount) {
    const { minor, currency } = amount;
    conditions.push(sql`(i.id = any(array(
      select t.invoice_id from (${invoiceTotals(tutorId)}) as t where t.total = ${minor}::int8))
      ${currency === null ? sql`` : sql`and i.currency = ${currency}`})`);
  }
  return sql`(${sql.join(conditions, sql` or `)})`;
}

function filterConditions(tutorId: string, filter: InvoiceFilter): RawBuilder<unknown> {
  const { ids, familyId, familyIds, isIssued, from, to, terms = [] } = filter;
  return sql.join(
    [
      sql`i.tutor_id = ${tutorId}::uuid`,
      ...(ids === undefined ? [] : [sql`i.id = any(${ids}::int[])`]),
      ...(familyId === undefined ? [] : [sql`i.family_id = ${familyId}::int`]),
      ...(familyIds === undefined ? [] : [sql`i.family_id = any(${familyIds}::int[])`]),
      ...(isIssued ? [sql`i.issued_on is not null and i.voided_on is null`] : []),
      ...(from === undefined ? [] : [sql`(i.issued_on is null or i.issued_on >= ${from}::date)`]),
      ...(to === undefined ? [] : [sql`(i.issued_on is null or i.issued_on <= ${to}::date)`]),
      ...terms.map((term) => termCondition(tutorId, term)),
    ],
    sql` and `,
  );
}

const ORDERS: Record<InvoiceSortKey, readonly RawBuilder<unknown>[]> = {
  // Credit notes are numbered separately from invoices.
  number: [sql`i.kind`, sql`i.sequence`],
  family: [sql`lower(co.name)`],
  issued: [sql`i.issued_on`],
  due: [sql`i.due_on`],
  amount: [sql`lines.total`],
};

/** When sorted by number or date of issue, drafts come first in descending order and last in ascending order. */
function orderBy(sort: InvoiceSortKey, direction: 'asc' | 'desc') {
  const sqlDirection = direction === 'asc' ? sql`asc` : sql`desc`;
  const columns = [...ORDERS[sort], sql`i.id`].map((column) => sql`${column} ${sqlDirection}`);
  return sql`order by ${sql.join(columns)}`;
}

/** Joins only the tables needed for this sort order, so that most orders read only the rows of the page. */
function sortJoins(tutorId: string, sort: InvoiceSortKey) {
  if (sort === 'family') {
    return sql`
      join families f on f.tutor_id = i.tutor_id and f.id = i.family_id
      join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id`;
  }
  return sort === 'amount'
    ? sql`left join (${invoiceTotals(tutorId)}) as lines on lines.invoice_id = i.id`
    : sql``;
}

/** Amounts are computed only for the invoices of the page. */
export function listInvoices(tx: Tx, tutorId: string, query: InvoiceListQuery, today: string) {
  const { state, sort = 'issued', direction = 'desc', limit, offset } = query;
  const stateFilter =
    state === undefined ? sql`` : sql`and ${stateCondition(tutorId, state, today)}`;
  const order = orderBy(sort, direction);
  // An array, so that the page is always looked up by primary key.
  const page = sql`i.id = any(array(
    select i.id from invoices i ${sortJoins(tutorId, sort)}
    where ${filterConditions(tutorId, query)} ${stateFilter}
    ${order} limit ${limit}::int offset ${offset}::int))`;
  return queryFromSql(tx, sql<InvoiceRecord>`${selectInvoices(tutorId, page)} ${order}`);
}

export interface CategorySum {
  currency: string;
  category: 'draft' | 'sent' | 'overdue' | 'paid' | 'written_off' | 'credit_note' | 'void';
  count: number;
  total: number;
  /** What payers are asked for. */
  due: number;
}

/** Counts and sums of all invoices that match the filter, by currency and state. */
export const sumInvoices = (tx: Tx, tutorId: string, filter: InvoiceFilter, today: string) =>
  queryFromSql(
    tx,
    sql<CategorySum>`
      select i.currency, i.category, count(*)::int as count, coalesce(sum(totals.total), 0)::int8 as total,
        coalesce(sum(open.due), 0)::int8 as due
      from (
        select i.id, i.currency, case
          when i.issued_on is null then 'draft'
          when i.voided_on is not null then 'void'
          when i.kind = 'credit_note' then 'credit_note'
          when open.invoice_id is null and i.id in (${writtenOffInvoiceIds(tutorId)}) then 'written_off'
          when open.invoice_id is null then 'paid'
          when i.due_on < ${today}::date and open.due > 0 then 'overdue'
          else 'sent' end as category
        from invoices i
        left join (${openAmounts(tutorId)}) as open on open.invoice_id = i.id
        where ${filterConditions(tutorId, filter)}
      ) as i
      left join (${invoiceTotals(tutorId)}) as totals on totals.invoice_id = i.id
      left join (${openAmounts(tutorId)}) as open on open.invoice_id = i.id and i.category in ('sent', 'overdue')
      group by i.currency, i.category`,
  );

/** The amount that the payer is asked for; zero if all of it is on hold. */
const openAmounts = (tutorId: string) => sql`
  select c.invoice_id, sum(c.outstanding - ${heldAmount('c')})::int8 as due from charges c
  where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.invoice_id is not null
  group by c.invoice_id`;

/** Charges that are on neither an invoice nor a draft. */
export const sumUninvoicedCharges = (tx: Tx, tutorId: string) =>
  queryFromSql(
    tx,
    sql<{ currency: string; amount: number; lessons: number; familyIds: number[] }>`
      select c.currency, sum(c.outstanding)::int8 as amount, (count(*) filter (where c.kind <> 'travel'))::int as lessons,
        array_agg(distinct c.family_id) as "familyIds"
      from charges c
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.invoice_id is null and not c.reversed
        and c.kind in ('lesson', 'cancellation', 'travel', 'item')
        and not exists (
          select from invoice_lines l join invoices i on i.tutor_id = l.tutor_id and i.id = l.invoice_id
          where l.tutor_id = c.tutor_id and l.charge_id = c.id and i.issued_at is null)
      group by c.currency order by c.currency`,
  );

export interface InvoiceActivity {
  id: number;
  channel: 'email' | 'whatsapp' | null;
  messageState: 'waiting' | 'sent' | 'failed' | null;
  messageAt: Date | null;
  reminderCount: number;
  method: string | null;
  paidOn: string | null;
}

/** The latest message and payment of each invoice on a page, and the number of reminders. */
export const invoiceActivity = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  queryFromSql(
    tx,
    sql<InvoiceActivity>`
      select i.id, message.channel, message.state as "messageState", message.at as "messageAt",
        reminders.count as "reminderCount", payment.method, payment.paid_on as "paidOn"
      from invoices i
      left join lateral (
        select m.channel, coalesce(m.sent_at, m.created_at) as at,
          case when m.state in ('waiting', 'failed') then m.state else 'sent' end as state
        from messages m
        where m.tutor_id = i.tutor_id and m.invoice_id = i.id and m.kind = 'invoice'
          and m.state in ('waiting', 'sent', 'delivered', 'read', 'failed')
        order by m.state = 'failed', m.id desc limit 1) as message on true
      cross join lateral (
        select count(*)::int as count from messages m
        where i.voided_on is null and m.tutor_id = i.tutor_id and m.family_id = i.family_id
          and m.kind = 'payment_reminder' and m.state in ('sent', 'delivered', 'read')
          and m.sent_at >= i.issued_at) as reminders
      left join lateral (
        select p.method, p.paid_on from charges c
        join allocations a on a.tutor_id = c.tutor_id and a.charge_id = c.id
        join payments p on p.tutor_id = a.tutor_id and p.id = a.payment_id
        where c.tutor_id = i.tutor_id and c.invoice_id = i.id
        group by p.id, p.method, p.paid_on having sum(a.amount) > 0
        order by p.paid_on desc, p.id desc limit 1) as payment on true
      where i.tutor_id = ${tutorId}::uuid and i.id = any(${ids}::int[])`,
  );
