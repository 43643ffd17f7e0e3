import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { type SessionRecord, sessionColumns } from './sessions.ts';

/** Scheduled sessions in which a student is expected, in any lesson. */
const scheduledSessionsOfStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where('status', '=', sql.lit('scheduled'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('session_students as seat')
          .whereRef('seat.tutor_id', '=', 'sessions.tutor_id')
          .whereRef('seat.session_id', '=', 'sessions.id')
          .where('seat.student_id', '=', studentId)
          .where('seat.state', '=', sql.lit('expected')),
      ),
    )
    .select(sessionColumns)
    .orderBy('id');

export async function upcomingSessionsForStudent(
  tx: Tx,
  tutorId: string,
  studentId: number,
  now: Date,
): Promise<SessionRecord[]> {
  const rows = await scheduledSessionsOfStudent(tx, tutorId, studentId)
    .where('ends_at', '>', now)
    .execute();
  return rows as SessionRecord[];
}

/** At most `limit` scheduled sessions of a student; a range without a last date is open-ended. */
export async function sessionsToPause(
  tx: Tx,
  tutorId: string,
  studentId: number,
  { fromDate, toDate }: { fromDate: string; toDate: string | null },
  limit: number,
): Promise<SessionRecord[]> {
  const rows = await scheduledSessionsOfStudent(tx, tutorId, studentId)
    .where('date', '>=', fromDate)
    .$if(toDate !== null, (query) => query.where('date', '<=', toDate as string))
    .limit(limit)
    .execute();
  return rows as SessionRecord[];
}

/** Sessions in which a pause cancelled the student's seat or the whole session. */
export async function sessionsPausedFor(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<SessionRecord[]> {
  const rows = await tx
    .selectFrom('sessions')
    .where('tutor_id', '=', tutorId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('session_students as seat')
          .whereRef('seat.tutor_id', '=', 'sessions.tutor_id')
          .whereRef('seat.session_id', '=', 'sessions.id')
          .where('seat.student_id', '=', studentId)
          .where('seat.time_off_id', 'is not', null),
      ),
    )
    .select(sessionColumns)
    .orderBy('id')
    .execute();
  return rows as SessionRecord[];
}

export async function lessonIdsForStudent(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('lessons')
    .innerJoin('lesson_students', (join) =>
      join
        .onRef('lesson_students.tutor_id', '=', 'lessons.tutor_id')
        .onRef('lesson_students.lesson_id', '=', 'lessons.id'),
    )
    .where('lessons.tutor_id', '=', tutorId)
    .where('lesson_students.student_id', '=', studentId)
    .where('lessons.archived_at', 'is', null)
    .select('lessons.id')
    .distinct()
    .orderBy('lessons.id')
    .execute();
  return rows.map((row) => row.id);
}

/** Returns the ids of the given sessions whose charge for the student is on an invoice. */
export async function invoicedSessionIds(
  tx: Tx,
  tutorId: string,
  studentId: number,
  sessionIds: readonly number[],
): Promise<number[]> {
  if (sessionIds.length === 0) return [];
  const rows = await queryFromSql(
    tx,
    sql<{ sessionId: number }>`
      select distinct session_id as "sessionId" from charges
      where tutor_id = ${tutorId}::uuid and student_id = ${studentId}::int and session_id = any(${sessionIds}::int[])
        and invoice_id is not null and not reversed`,
  ).execute();
  return rows.map((row) => row.sessionId);
}
