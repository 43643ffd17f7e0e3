import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { SessionTimes } from './sessions.ts';

/** Sets the date, time and lesson of many sessions in one statement. */
export async function rescheduleSessions(
  tx: Tx,
  tutorId: string,
  lessonId: number,
  rows: readonly SessionTimes[],
): Promise<void> {
  if (rows.length === 0) return;
  const column = <K extends keyof SessionTimes>(key: K) => rows.map((row) => row[key]);
  await sql`
    update sessions set lesson_id = ${lessonId}::int, occurrence_date = m.occurrence_date, series_date = m.series_date, date = m.date,
      start_time = m.start_time, end_time = m.end_time, starts_at = m.starts_at, ends_at = m.ends_at
    from unnest(${column('id')}::int[], ${column('occurrenceDate')}::date[], ${column('seriesDate')}::date[],
      ${column('date')}::date[], ${column('startTime')}::text[], ${column('endTime')}::text[],
      ${column('startsAt')}::timestamptz[], ${column('endsAt')}::timestamptz[])
      as m(id, occurrence_date, series_date, date, start_time, end_time, starts_at, ends_at)
    where sessions.tutor_id = ${tutorId}::uuid and sessions.id = m.id`.execute(tx);
}

/** For a time zone change: local times stay the same, instants change. */
export async function updateInstants(
  tx: Tx,
  tutorId: string,
  rows: readonly { id: number; startsAt: Date; endsAt: Date }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update sessions set starts_at = m.starts_at, ends_at = m.ends_at
    from unnest(${rows.map((row) => row.id)}::int[], ${rows.map((row) => row.startsAt)}::timestamptz[],
      ${rows.map((row) => row.endsAt)}::timestamptz[]) as m(id, starts_at, ends_at)
    where sessions.tutor_id = ${tutorId}::uuid and sessions.id = m.id`.execute(tx);
}
