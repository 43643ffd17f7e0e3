import type { Overlap } from '@lessonbook/contract/errors';
import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

export type OverlapPair = Overlap & { sessionId: number };

/** Defers constraint checks until the commit, because rows of a series may overlap while it is being rescheduled. */
export const deferConstraints = (tx: Tx) => rawQuery(tx, sql`set constraints all deferred`);

/** Scheduled sessions that overlap the given ones. The one-day range limits the search to a few index entries. */
export const findOverlaps = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  rawQuery(
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

/** Removes accepted overlaps. A session with none left is subject to the exclusion constraint again. */
export async function clearAcceptedOverlaps(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with deleted as (
      delete from accepted_overlaps
      where tutor_id = ${tutorId}::uuid and (session_id = any(${ids}::int[]) or other_id = any(${ids}::int[]))
      returning session_id, other_id),
    affected as (select session_id as id from deleted union select other_id from deleted union select unnest(${ids}::int[]))
    update sessions set overlap_accepted = false
    from affected
    where sessions.tutor_id = ${tutorId}::uuid and sessions.id = affected.id and sessions.overlap_accepted
      and not exists (
        select 1 from accepted_overlaps p
        where p.tutor_id = sessions.tutor_id and (p.session_id = sessions.id or p.other_id = sessions.id)
          and not exists (select 1 from deleted where deleted.session_id = p.session_id and deleted.other_id = p.other_id))`.execute(
    tx,
  );
}

export async function insertAcceptedOverlaps(
  tx: Tx,
  tutorId: string,
  pairs: readonly OverlapPair[],
): Promise<void> {
  if (pairs.length === 0) return;
  const lower = pairs.map((pair) => Math.min(pair.sessionId, pair.withSessionId));
  const higher = pairs.map((pair) => Math.max(pair.sessionId, pair.withSessionId));
  await sql`
    insert into accepted_overlaps (tutor_id, session_id, other_id)
    select ${tutorId}::uuid, p.lower, p.higher from unnest(${lower}::int[], ${higher}::int[]) as p(lower, higher)
    on conflict do nothing`.execute(tx);
  await sql`
    update sessions set overlap_accepted = true
    where tutor_id = ${tutorId}::uuid and id = any(${[...new Set([...lower, ...higher])]}::int[])
      and not overlap_accepted`.execute(tx);
}
