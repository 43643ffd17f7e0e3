import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { MoveRequestNotice } from '../rules/cancellation.ts';

/**
 * Families' requests to move the session that affect the notice period. Leaves out requests made when the session was
 * at a different time.
 */
export const moveRequestNotices = (tx: Tx, tutorId: string, sessionId: number) =>
  queryFromSql(
    tx,
    sql<MoveRequestNotice & { studentId: number }>`
      select r.student_id as "studentId", r.status, r.asked_at as "askedAt", r.answered_at as "answeredAt"
      from move_requests r
      join sessions s on s.tutor_id = r.tutor_id and s.id = r.session_id
      where r.tutor_id = ${tutorId}::uuid and r.session_id = ${sessionId}::int
        and r.status in ('open', 'suggested', 'declined')
        and s.date = r.session_date and s.start_time = r.session_start_time`,
  );
