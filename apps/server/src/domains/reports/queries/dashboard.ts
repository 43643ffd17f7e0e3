import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sessionRows } from '../../lessons/service/read.ts';

/** Today in the tutor's time zone. Used to exclude future lessons that were invoiced in advance. */
const todayInTutorTimeZone = (tutorId: string, now: Date) =>
  sql<string>`(select (${now}::timestamptz at time zone time_zone)::date from tutors where tutor_id = ${tutorId}::uuid)`;

/** The tutor's time zone, and the full counts for the limited lists. */
export const tutorWithCounts = compiledQuery((tx, tutorId: string, now: Date) =>
  tx
    .selectFrom('tutors')
    .where('tutors.tutor_id', '=', tutorId)
    .select((eb) => [
      'tutors.time_zone as timeZone',
      eb
        .selectFrom('sessions')
        .where('sessions.tutor_id', '=', tutorId)
        .where('sessions.status', '=', sql.lit('scheduled'))
        .where('sessions.starts_at', '<', now)
        .where('sessions.ends_at', '<=', now)
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('dueCount'),
      eb
        .selectFrom('charges')
        .where('charges.tutor_id', '=', tutorId)
        .where('charges.outstanding', '>', sql.lit(0))
        .where('charges.session_id', 'is not', null)
        .where('charges.due_date', '<=', todayInTutorTimeZone(tutorId, now))
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('unpaidCount'),
    ]),
);

/** Scheduled and not yet ended, soonest first. A session lasts less than a day, which limits the range to scan. */
export const upcomingSessions = compiledQuery((tx, tutorId: string, now: Date, limit: number) =>
  sessionRows(tx, tutorId)
    .where('sessions.status', '=', sql.lit('scheduled'))
    .where('sessions.starts_at', '>', sql<Date>`${now}::timestamptz - interval '1 day'`)
    .where('sessions.ends_at', '>', now)
    .orderBy('sessions.starts_at')
    .orderBy('sessions.id')
    .limit(limit),
);

/** Session count and total fees for each day, by status and currency. */
export const dayTotals = compiledQuery((tx, tutorId: string, from: string, to: string) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where('status', 'in', ['scheduled', 'completed'])
    .groupBy(['date', 'status', 'currency'])
    .select((eb) => [
      'date',
      'status',
      'currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number | null>('fee').as('fees'),
    ]),
);

export type DayTotal = RowOf<ReturnType<typeof dayTotals>>;

/**
 * The amount each family owes, with its oldest unpaid charge. Materialised, because without table statistics the
 * planner estimates one row and would recompute the CTE for every session.
 */
const oldestUnpaidCharges = (tx: Tx, tutorId: string, now: Date, limit: number) =>
  tx
    .with(
      (cte) => cte('oldest').materialized(),
      (query) =>
        query
          .selectFrom('charges')
          .where('tutor_id', '=', tutorId)
          .where('outstanding', '>', sql.lit(0))
          .where('session_id', 'is not', null)
          .where('due_date', '<=', todayInTutorTimeZone(tutorId, now))
          .distinctOn(['family_id', 'currency'])
          .select([
            'family_id',
            'session_id',
            'due_date',
            'id as charge_id',
            sql<number>`count(*) over (partition by family_id, currency)`.as('lesson_count'),
            sql<number>`sum(outstanding) over (partition by family_id, currency)`.as('owed'),
          ])
          .orderBy('family_id')
          .orderBy('currency')
          .orderBy('due_date')
          .orderBy('id'),
    )
    .selectFrom('oldest')
    .selectAll()
    .orderBy('due_date')
    .orderBy('charge_id')
    .limit(limit);

/** One row per family and currency, with the oldest unpaid session, oldest first. */
export const unpaidFamilies = compiledQuery((tx, tutorId: string, now: Date, limit: number) =>
  sessionRows(tx, tutorId)
    .innerJoin(oldestUnpaidCharges(tx, tutorId, now, limit).as('oldest_unpaid'), (join) =>
      join.onRef('oldest_unpaid.session_id', '=', 'sessions.id'),
    )
    .innerJoin('families', (join) =>
      join
        .onRef('families.tutor_id', '=', 'sessions.tutor_id')
        .onRef('families.id', '=', 'oldest_unpaid.family_id'),
    )
    .leftJoin('carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'families.tutor_id')
        .onRef('carers.id', '=', 'families.carer_id'),
    )
    .leftJoin('students as payers', (join) =>
      join
        .onRef('payers.tutor_id', '=', 'families.tutor_id')
        .onRef('payers.id', '=', 'families.student_id'),
    )
    .select([
      'oldest_unpaid.lesson_count as lessonCount',
      'oldest_unpaid.owed',
      'families.id as familyId',
      sql<string>`coalesce(carers.name, payers.name)`.as('familyName'),
    ])
    .orderBy('oldest_unpaid.due_date')
    .orderBy('oldest_unpaid.charge_id'),
);

/** Payers who have reported a bank transfer, with the amount they owe in each currency. */
export const reportedTransfers = compiledQuery((tx, tutorId: string) =>
  tx
    .selectFrom('families')
    .innerJoin('charges', (join) =>
      join
        .onRef('charges.tutor_id', '=', 'families.tutor_id')
        .onRef('charges.family_id', '=', 'families.id')
        .on('charges.outstanding', '>', sql.lit(0)),
    )
    .leftJoin('carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'families.tutor_id')
        .onRef('carers.id', '=', 'families.carer_id'),
    )
    .leftJoin('students as payers', (join) =>
      join
        .onRef('payers.tutor_id', '=', 'families.tutor_id')
        .onRef('payers.id', '=', 'families.student_id'),
    )
    .where('families.tutor_id', '=', tutorId)
    .where('families.transfer_claimed_at', 'is not', null)
    .groupBy([
      'families.id',
      'families.transfer_claimed_at',
      'carers.name',
      'payers.name',
      'charges.currency',
    ])
    .orderBy('families.transfer_claimed_at')
    .orderBy('charges.currency')
    .select((eb) => [
      'families.id as familyId',
      sql<string>`coalesce(carers.name, payers.name)`.as('familyName'),
      sql<Date>`families.transfer_claimed_at`.as('claimedAt'),
      'charges.currency',
      eb.fn.sum<number>('charges.outstanding').as('amount'),
    ]),
);

/** Payments minus refunds by day and currency. */
export const dayReceipts = compiledQuery((tx, tutorId: string, from: string, to: string) =>
  tx
    .selectFrom('payments')
    .where('tutor_id', '=', tutorId)
    .where('paid_on', '>=', from)
    .where('paid_on', '<=', to)
    .where('kind', 'in', [sql.lit('payment'), sql.lit('refund')])
    .where('reversed', '=', sql.lit(false))
    .where('method', '<>', sql.lit('opening'))
    .groupBy(['paid_on', 'currency'])
    .select((eb) => ['paid_on as date', 'currency', eb.fn.sum<number>('amount').as('received')]),
);

export type DayReceipt = RowOf<ReturnType<typeof dayReceipts>>;
