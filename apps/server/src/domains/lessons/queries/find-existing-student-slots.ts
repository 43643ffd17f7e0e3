import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

interface StudentSlot {
  studentId: number;
  date: string;
  startTime: string;
}

/** Returns the keys of slots that already have a session, for example '7 2026-11-17 16:00'. */
export async function findExistingSlots(
  tx: Tx,
  tutorId: string,
  slots: readonly StudentSlot[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct x.student_id || ' ' || s.date || ' ' || s.start_time as key
    from unnest(${slots.map((slot) => slot.studentId)}::int[], ${slots.map((slot) => slot.date)}::date[],
      ${slots.map((slot) => slot.startTime)}::text[]) as p(student_id, date, start_time)
    join sessions s on s.tutor_id = ${tutorId}::uuid and s.date = p.date and s.start_time = p.start_time
      and s.status in ('scheduled', 'completed')
    join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id and x.student_id = p.student_id
      and x.state = 'expected'`.execute(tx);
  return new Set(rows.map((row) => row.key));
}
