import type { Overlap } from '@lessonbook/contract/errors';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export type OverlapPair = Overlap & { sessionId: number };

/** Defers constraint checks until the commit, because rows of a series may overlap while it is being rescheduled. */
export const deferConstraints = (tx: Tx) => queryFromSql(tx, sql`set constraints all deferred`);

/** Scheduled sessions that overlap the given ones. The one-day range limits the search to a few index entries. */
export const findOverlaps = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  queryFromSql(
    tx,
    sql<OverlapPair>`
    select a.id as "sessionId", a.date, a.start_time as "startTime", a.end_time as "endTime",
      b.id as "withSessionId",
      -- The student first, unless the title already begins with the name.
      (select case when starts_with(b.title, st.name) then b.title else st.name || ' - ' || b.title end
        from session_students x
        join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
        where x.tutor_id = ${tutorId}::uuid and x.session_id = b.id
        order by x.position limit 1) as "withTitle", b.start_time as "withStartTime", b.end_time as "withEndTime"
    from sessions a
    cross join lateral (
      select id, title, start_time, end_time, starts_at from sessions b
      where b.tutor_id = ${tutorId}::uuid and b.status = 'scheduled' and b.id <> a.id
        and b.starts_at > a.starts_at - interval '1 day' and b.starts_at < a.ends_at and b.ends_at > a.starts_at
      -- Forces an index lookup for each session instead of comparing all pairs.
      offset 0) b
    where a.tutor_id = ${tutorId}::uuid and a.status = 'scheduled' and a.id = any(${ids}::int[])
    order by a.starts_at, b.starts_at, b.id`,
  );

/** Scheduled sessions on these dates. */
export const scheduledSessionsOn = (tx: Tx, tutorId: string, dates: readonly string[]) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('status', '=', sql.lit('scheduled'))
    .where('date', '=', sql<string>`any(${dates}::date[])`)
    .select([
      'id',
      'date',
      'title',
      'start_time as startTime',
      'starts_at as startsAt',
      'ends_at as endsAt',
    ]);
