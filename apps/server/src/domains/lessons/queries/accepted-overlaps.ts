import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { OverlapPair } from './overlaps.ts';

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
