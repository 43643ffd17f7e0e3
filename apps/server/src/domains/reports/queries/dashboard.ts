import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { sessionRows } from '../../lessons/service/session-rows.ts';

/** Scheduled and not yet ended, soonest first. A session lasts less than a day, which bounds the search. */
export const upcoming = (tx: Tx, tutorId: string, now: Date, atMost: number) =>
  sessionRows(tx, tutorId)
    .where('sessions.status', '=', sql.lit('scheduled'))
    .where('sessions.starts_at', '>', sql<Date>`${now}::timestamptz - interval '1 day'`)
    .where('sessions.ends_at', '>', now)
    .orderBy('sessions.starts_at')
    .orderBy('sessions.id')
    .limit(atMost);

export const dueCount = (tx: Tx, tutorId: string, now: Date) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('status', '=', sql.lit('scheduled'))
    .where('starts_at', '<', now)
    .where('ends_at', '<=', now)
    .select((eb) => eb.fn.countAll<number>().as('count'));

export const todayCount = (tx: Tx, tutorId: string, today: string) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('date', '=', today)
    .where('status', 'in', ['scheduled', 'completed'])
    .select((eb) => eb.fn.countAll<number>().as('count'));

/** What the week adds up to, by state and currency. */
export const weekTotals = (tx: Tx, tutorId: string, monday: string, sunday: string) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('date', '>=', monday)
    .where('date', '<=', sunday)
    .where('status', 'in', ['scheduled', 'completed'])
    .groupBy(['status', 'currency'])
    .select((eb) => [
      'status',
      'currency',
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('fee').as('worth'),
    ]);

export const unpaidCount = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('charges')
    .where('tutor_id', '=', tutorId)
    .where('outstanding', '>', sql.lit(0))
    .where('session_id', 'is not', null)
    .select((eb) => eb.fn.countAll<number>().as('count'));

/** The families that owe, the one that has waited longest first: its oldest unpaid session stands for all. */
export const unpaidFamilies = (tx: Tx, tutorId: string, atMost: number) =>
  sessionRows(tx, tutorId)
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('charges')
          .where('tutor_id', '=', tutorId)
          .where('outstanding', '>', sql.lit(0))
          .where('session_id', 'is not', null)
          .distinctOn(['family_id', 'currency'])
          .select([
            'family_id',
            'session_id',
            'due_date',
            'id as charge_id',
            sql<number>`count(*) over (partition by family_id, currency)`.as('lessons'),
            sql<number>`sum(outstanding) over (partition by family_id, currency)`.as('owed'),
          ])
          .orderBy('family_id')
          .orderBy('currency')
          .orderBy('due_date')
          .orderBy('id')
          .as('open'),
      (join) => join.onRef('open.session_id', '=', 'sessions.id'),
    )
    .innerJoin('families', (join) =>
      join
        .onRef('families.tutor_id', '=', 'sessions.tutor_id')
        .onRef('families.id', '=', 'open.family_id'),
    )
    .leftJoin('carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'families.tutor_id')
        .onRef('carers.id', '=', 'families.carer_id'),
    )
    .select([
      'open.lessons',
      'open.owed',
      (eb) => eb.fn.coalesce('carers.name', 'students.name').as('familyName'),
    ])
    .orderBy('open.due_date')
    .orderBy('open.charge_id')
    .limit(atMost);
