import type { TypedAmount } from '@lessonbook/contract/parse-amount';
import type { SearchResults } from '@lessonbook/contract/search';
import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { sessionRows } from '../../lessons/service/read.ts';

/**
 * The invoice with this sequence number first, then those whose number matches a pattern, newest first. The numbers
 * are read from their index, whose order is that of the dates unless the prefix was changed.
 */
export const invoiceIdsByNumber = compiledQuery(
  (tx, tutorId: string, patterns: unknown, sequence: number | null, limit: number) =>
    queryFromSql(
      tx,
      sql<{ id: number }>`
      select i.id from invoices i
      where i.tutor_id = ${tutorId}::uuid and i.number = any(array(
        (select n.number from invoices n
          where n.tutor_id = ${tutorId}::uuid and n.kind in ('invoice', 'credit_note') and n.sequence = ${sequence}::int)
        union all
        (select n.number from invoices n
          where n.tutor_id = ${tutorId}::uuid and n.number like any(${patterns}::text[])
          order by n.number desc limit ${limit}::int)))
      order by i.sequence is not distinct from ${sequence}::int desc, i.issued_on desc, i.id desc
      limit ${limit}::int`,
    ),
);

type FoundPayment = SearchResults['payments'][number];

/**
 * Payments and refunds of these families, of this amount or on this date, newest first. Each condition has its own
 * subquery with the limit, because no index serves all three.
 */
export function findPayments(
  tx: Tx,
  tutorId: string,
  by: { familyIds: readonly number[]; amount: TypedAmount | null; date: string | null },
  limit: number,
) {
  const { familyIds, amount, date } = by;
  const newest = (condition: ReturnType<typeof sql>, order = sql``) => sql`(
    select p.id from payments p
    where p.tutor_id = ${tutorId}::uuid and p.kind in ('payment', 'refund') and not p.reversed
      and p.method <> 'opening' and ${condition}
    order by ${order} p.paid_on desc, p.id desc limit ${limit}::int)`;
  const inCurrency = amount?.currency ? sql`and p.currency = ${amount.currency}` : sql``;
  // A range, because a generic plan for "=" reads all payments if most have the same amount.
  const ofAmount = (minor: number) =>
    newest(
      sql`p.amount between ${minor}::int and ${minor}::int ${inCurrency}`,
      sql`p.amount desc,`,
    );
  const found = [
    ...(familyIds.length > 0 ? [newest(sql`p.family_id = any(${familyIds}::int[])`)] : []),
    // Refunds are negative.
    ...(amount ? [ofAmount(amount.minor), ofAmount(-amount.minor)] : []),
    ...(date === null ? [] : [newest(sql`p.paid_on = ${date}::date`)]),
  ];
  if (found.length === 0) return null;
  return queryFromSql(
    tx,
    sql<FoundPayment>`
    select p.id, case when reversal.kind = 'dispute' then 'dispute' else p.kind end as kind, p.family_id as "familyId",
      co.name as "familyName", p.amount, p.currency, p.method, p.paid_on as "paidOn"
    from payments p
    join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
    join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
    left join card_reversals reversal on reversal.tutor_id = p.tutor_id and reversal.payment_id = p.id
    where p.tutor_id = ${tutorId}::uuid and p.id = any(array(${sql.join(found, sql` union `)}))
    order by p.paid_on desc, p.id desc`,
  );
}

/** The sessions on a date, those that have not ended first. Excludes moved ones and those of deleted lessons. */
export const sessionsOnDate = compiledQuery((tx, tutorId: string, date: string, now: Date) =>
  sessionRows(tx, tutorId)
    .where('sessions.date', '=', date)
    .where('sessions.status', '<>', sql.lit('rescheduled'))
    .where((eb) =>
      eb.or([
        eb('lessons.archived_at', 'is', null),
        eb('sessions.status', '<>', sql.lit('cancelled')),
        eb('sessions.ends_at', '<=', eb.ref('lessons.archived_at')),
      ]),
    )
    .orderBy(sql`sessions.ends_at <= ${now}::timestamptz`)
    .orderBy('sessions.start_time')
    .orderBy('sessions.id'),
);
