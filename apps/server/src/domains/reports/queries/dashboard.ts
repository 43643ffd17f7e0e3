import { sql } from 'kysely';
import { prepared } from '../../../platform/prepared.ts';
import type { RowOf } from '../../../platform/row.ts';
import { sessionRows } from '../../lessons/service/session-rows.ts';

/** The tutor's zone, and the counts that go on where the lists stop. */
export const tutorWithCounts = prepared((tx, tutorId: string, now: Date) =>
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
        .as('due'),
      eb
        .selectFrom('charges')
        .where('charges.tutor_id', '=', tutorId)
        .where('charges.outstanding', '>', sql.lit(0))
        .where('charges.session_id', 'is not', null)
        .select((count) => count.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('unpaid'),
    ]),
);

/** Scheduled and not yet ended, soonest first. A session lasts less than a day, which bounds the search. */
export const upcoming = prepared((tx, tutorId: string, now: Date, atMost: number) =>
  sessionRows(tx, tutorId)
    .where('sessions.status', '=', sql.lit('scheduled'))
    .where('sessions.starts_at', '>', sql<Date>`${now}::timestamptz - interval '1 day'`)
    .where('sessions.ends_at', '>', now)
    .orderBy('sessions.starts_at')
    .orderBy('sessions.id')
    .limit(atMost),
);

/** What each day adds up to, by state and currency. */
export const dayTotals = prepared((tx, tutorId: string, from: string, to: string) =>
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
      eb.fn.sum<number | null>('fee').as('worth'),
    ]),
);

export type DayTotal = RowOf<ReturnType<typeof dayTotals>>;

/** The families that owe, the one that has waited longest first: its oldest unpaid session stands for all. */
export const unpaidFamilies = prepared((tx, tutorId: string, atMost: number) =>
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
    .limit(atMost),
);
