import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

interface StudentSlot {
  studentId: number;
  date: string;
  startTime: string;
}

/** Which of these students have a lesson at these times already: '7 2026-11-17 16:00'. */
export async function findExistingSlots(
  tx: Tx,
  tutorId: string,
  places: readonly StudentSlot[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct s.student_id || ' ' || s.date || ' ' || s.start_time as key
    from unnest(${places.map((place) => place.studentId)}::int[], ${places.map((place) => place.date)}::date[],
      ${places.map((place) => place.startTime)}::text[]) as p(student_id, date, start_time)
    join sessions s on s.tutor_id = ${tutorId}::uuid and s.student_id = p.student_id and s.date = p.date
      and s.start_time = p.start_time and s.status in ('scheduled', 'completed')`.execute(tx);
  return new Set(rows.map((row) => row.key));
}
