import type { DASHBOARD_LIST_LIMIT } from '@lessonbook/contract/dashboard';
import { type RawBuilder, sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import { queryFromSql } from '../../../platform/db/database.ts';
import { sessionRows } from '../../lessons/service/read.ts';
import { dueDate, heldAmount } from '../../payments/service/charges.ts';

/** A literal, because the planner assumes a large result for a limit that is a parameter. */
const limit = sql.lit(5 satisfies typeof DASHBOARD_LIST_LIMIT);

/** Scheduled and not yet ended, soonest first. A session lasts less than a day, which limits the range to scan. */
const upcoming = (tutorId: string, now: Date) => sql`
  select 'upcoming' as list, id as session_id, starts_at as sort_at, id as sort_id, null::bigint as list_size,
    null::int as charge_id, null::int as family_id, null::bigint as lesson_count, null::bigint as owed
  from sessions
  where tutor_id = ${tutorId}::uuid and status = 'scheduled'
    and starts_at > ${now}::timestamptz - interval '1 day' and ends_at > ${now}::timestamptz
  order by starts_at, id
  limit ${limit}`;

/** Ended but not completed, oldest first. */
const incomplete = (tutorId: string, now: Date) => sql`
  select 'incomplete', id, starts_at, id, count(*) over (), null, null, null, null
  from sessions
  where tutor_id = ${tutorId}::uuid and status = 'scheduled'
    and starts_at < ${now}::timestamptz and ends_at <= ${now}::timestamptz
  order by starts_at, id
  limit ${limit}`;

/**
 * One row per family and currency, with its oldest unpaid session, oldest first. Future lessons that were invoiced in
 * advance are excluded by the date in the tutor's time zone.
 */
const unpaid = (tutorId: string, now: Date) => sql`
  select 'unpaid', (array_agg(session_id order by due_date, id))[1], min(due_date)::timestamptz,
    (array_agg(id order by due_date, id))[1], count(*) over (), (array_agg(id order by due_date, id))[1],
    family_id, count(*), sum(outstanding)
  from charges
  where tutor_id = ${tutorId}::uuid and outstanding > 0 and session_id is not null
    and due_date <= (
      select (${now}::timestamptz at time zone time_zone)::date from tutors where tutor_id = ${tutorId}::uuid)
  group by family_id, currency
  order by 3, 4
  limit ${limit}`;

interface ListedSession {
  list: 'upcoming' | 'incomplete' | 'unpaid';
  session_id: number;
  sort_at: Date;
  sort_id: number;
  /** The number of rows without the limit; null for upcoming sessions. */
  list_size: number | null;
  /** The oldest unpaid charge; null in the other lists. */
  charge_id: number | null;
  /** The payer, its unpaid sessions and their amount; null in the other lists. */
  family_id: number | null;
  lesson_count: number | null;
  owed: number | null;
}

/** A subquery, because a join would read all families of the tutor for a few names. */
const familyName = (tutorId: string, familyId: RawBuilder<unknown>) => sql<string | null>`(
  select contacts.name from families
  join contacts on contacts.tutor_id = families.tutor_id and contacts.id = families.contact_id
  where families.tutor_id = ${tutorId} and families.id = ${familyId})`;

interface PayerDetails {
  familyName: string;
  /** Null if nothing is overdue. */
  overdue: number | null;
  studentNames: string[];
}

/**
 * What the page shows about a payer in the list of unpaid sessions. Each name is a subquery, because otherwise all students of
 * the tutor are read for a few names.
 */
const payerDetails = (tutorId: string, now: Date) => sql<PayerDetails | null>`(
  select jsonb_build_object(
    'familyName', ${familyName(tutorId, sql.ref('listed.family_id'))},
    'overdue', owed.overdue,
    'studentNames', array(
      select distinct (select s.name from students s where s.tutor_id = ${tutorId}::uuid and s.id = student_id) as name
      from unnest(owed.student_ids) as student_id where student_id is not null order by name))
  from (
    select array_agg(distinct c.student_id) as student_ids,
      sum(c.outstanding - ${heldAmount('c')}) filter (where ${dueDate('c', 'i')} < (
        select (${now}::timestamptz at time zone time_zone)::date from tutors where tutor_id = ${tutorId}::uuid)) as overdue
    from charges c
    left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
    where c.tutor_id = ${tutorId}::uuid and c.family_id = listed.family_id and c.currency = charges.currency
      and c.outstanding > 0 and c.session_id is not null
    having count(*) > 0) as owed)`;

/** The sessions of all three lists, so that students, subjects, lessons and charges are joined only once. */
export const listedSessions = compiledQuery((tx, tutorId: string, now: Date) =>
  sessionRows(tx, tutorId)
    .innerJoin(
      sql<ListedSession>`(
        (${upcoming(tutorId, now)}) union all (${incomplete(tutorId, now)}) union all (${unpaid(tutorId, now)}))`.as<'listed'>(
        sql.ref('listed'),
      ),
      (join) => join.onRef('listed.session_id', '=', 'sessions.id'),
    )
    // An unpaid session shows the charge of this family, not those of others in the group.
    .where((eb) =>
      eb.or([
        eb('listed.charge_id', 'is', null),
        eb('charges.id', '=', eb.ref('listed.charge_id')),
      ]),
    )
    .select([
      'listed.list',
      'listed.list_size as listSize',
      'listed.lesson_count as lessonCount',
      'listed.owed',
      'listed.family_id as familyId',
      payerDetails(tutorId, now).as('payer'),
    ])
    .orderBy('listed.list')
    .orderBy('listed.sort_at')
    .orderBy('listed.sort_id'),
);

export type ListedSessionRow = RowOf<ReturnType<typeof listedSessions>>;

export interface DayTotal {
  date: string;
  currency: string;
  kind: 'scheduled' | 'completed' | 'received';
  /** Sessions; 0 for money received. */
  count: number;
  amount: number | null;
}

/**
 * For each day and currency, the sessions and their fees by status, and the money received, which is payments minus
 * refunds.
 */
export const dayTotals = compiledQuery((tx, tutorId: string, from: string, to: string) =>
  queryFromSql(
    tx,
    sql<DayTotal>`
    select s.date, x.currency, s.status as kind, count(distinct s.id) as count, sum(x.fee) as amount
    from sessions s join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.state = 'expected'
    where s.tutor_id = ${tutorId}::uuid and s.date between ${from}::date and ${to}::date
      and s.status in ('scheduled', 'completed')
    group by s.date, x.currency, s.status
    union all
    select paid_on, currency, 'received', 0, sum(amount)
    from payments
    where tutor_id = ${tutorId}::uuid and paid_on between ${from}::date and ${to}::date
      and kind in ('payment', 'refund') and not reversed and method <> 'opening'
    group by paid_on, currency`,
  ),
);

interface TutorWithTransfer {
  timeZone: string;
  familyId: number | null;
  familyName: string | null;
  claimedAt: Date | null;
  currency: string | null;
  amount: number | null;
}

/**
 * The tutor's time zone, with a row for each payer who has reported a bank transfer and each currency in which the payer
 * owes; a single row without a payer if there is none.
 */
export const tutorWithReportedTransfers = compiledQuery((tx, tutorId: string) =>
  queryFromSql(
    tx,
    sql<TutorWithTransfer>`
    select tutors.time_zone as "timeZone", payer.id as "familyId", payer.transfer_claimed_at as "claimedAt",
      ${familyName(tutorId, sql.ref('payer.id'))} as "familyName", owed.currency, owed.amount
    from tutors
    left join (
      families payer
      cross join lateral (
        select currency, sum(outstanding) as amount from charges
        where charges.tutor_id = payer.tutor_id and charges.family_id = payer.id and charges.outstanding > 0
        group by currency) owed)
      on payer.tutor_id = tutors.tutor_id and payer.transfer_claimed_at is not null
    where tutors.tutor_id = ${tutorId}::uuid
    order by payer.transfer_claimed_at, owed.currency`,
  ),
);
