import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { linkKeyOf } from '../../../platform/payment-and-feed-link-tokens.ts';
import { expectedStudentNames } from './student-names.ts';

/** Each tutor has one feed. */
export const FEED_ID = 1;

/** The link key is null until the feed is first shown. */
export const feedLink = (tx: Tx, tutorId: string) =>
  queryFromSql(
    tx,
    sql<{ linkKey: string | null }>`
      select ${linkKeyOf(sql`'feed'`, sql`${tutorId}::uuid`, sql`${FEED_ID}::int`)} as "linkKey"`,
  );

/** The public id of the first session of a chain of moves. */
const rootPublicId = sql<string>`case when sessions.rescheduled_from_id is null then sessions.public_id else (
  with recursive chain as (
    select earlier.public_id, earlier.rescheduled_from_id from sessions earlier
    where earlier.tutor_id = sessions.tutor_id and earlier.id = sessions.rescheduled_from_id
    union all
    select earlier.public_id, earlier.rescheduled_from_id from chain
    join sessions earlier on earlier.tutor_id = sessions.tutor_id and earlier.id = chain.rescheduled_from_id)
  select public_id from chain where rescheduled_from_id is null) end`;

/**
 * Sessions between two dates. Anyone with the URL can read the feed, so only columns that are safe to share are selected.
 * Rescheduled sessions are left out: the replacement continues their UID, as in the calendar files that families receive.
 */
export const feedSessions = (tx: Tx, tutorId: string, from: string, to: string) =>
  tx
    .selectFrom('sessions')
    .innerJoin('subjects', (join) =>
      join
        .onRef('subjects.tutor_id', '=', 'sessions.tutor_id')
        .onRef('subjects.id', '=', 'sessions.subject_id'),
    )
    .where('sessions.tutor_id', '=', tutorId)
    .where('sessions.date', '>=', from)
    .where('sessions.date', '<=', to)
    .where('sessions.status', '<>', sql.lit('rescheduled'))
    .orderBy('sessions.starts_at')
    .orderBy('sessions.id')
    .select([
      'sessions.id',
      rootPublicId.as('publicId'),
      'sessions.sequence',
      'sessions.status',
      'sessions.starts_at as startsAt',
      'sessions.ends_at as endsAt',
      'sessions.created_at as createdAt',
      sql<string | null>`coalesce(sessions.meet_link, sessions.place)`.as('place'),
      expectedStudentNames('sessions').as('studentNames'),
      'subjects.name as subjectName',
    ]);

/** The tutor's time off between two dates. The reason stays private. */
export const feedTimeOff = (tx: Tx, tutorId: string, from: string, to: string) =>
  tx
    .selectFrom('time_off')
    .where('tutor_id', '=', tutorId)
    .where('student_id', 'is', null)
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .orderBy('from_date')
    .orderBy('id')
    .select([
      'id',
      'from_date as fromDate',
      'start_time as startTime',
      'end_time as endTime',
      'created_at as createdAt',
    ])
    .select((eb) => eb.ref('to_date').$notNull().as('toDate'));

export type FeedTimeOff = RowOf<ReturnType<typeof feedTimeOff>>;
export type FeedSession = RowOf<ReturnType<typeof feedSessions>>;
