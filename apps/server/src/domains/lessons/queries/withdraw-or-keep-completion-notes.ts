import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { SeatRef } from '../rules/seat-fees-and-rosters.ts';

const isOneOf = (sessionIds: readonly number[]) => sql`n.session_id = any(${sessionIds}::int[])`;

/** Keeps the notes that were shared by completing these sessions: undoing the completion no longer withdraws them. */
export async function keepCompletionNotes(
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
): Promise<void> {
  await queryFromSql(
    tx,
    sql`
      update lesson_notes n set shared_by_completion = false
      where n.tutor_id = ${tutorId}::uuid and ${isOneOf(sessionIds)} and n.shared_by_completion`,
  ).execute();
}

/**
 * Withdraws the versions that were shared by completing the sessions, unless a later version has been shared since. A
 * version that the family saw before is shared again, unless there is now a draft.
 */
export const withdrawCompletionNotes = (
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  now: Date,
): Promise<SeatRef[]> =>
  queryFromSql(
    tx,
    sql<SeatRef>`
      with withdrawn as (
        update lesson_notes n set withdrawn_at = ${now}::timestamptz
        where n.tutor_id = ${tutorId}::uuid and ${isOneOf(sessionIds)} and n.shared_by_completion
          and n.withdrawn_at is null
          and not exists (
            select from lesson_notes l
            where l.tutor_id = n.tutor_id and l.session_id = n.session_id and l.student_id = n.student_id
              and l.version > n.version and l.published_at is not null)
        returning n.session_id, n.student_id, n.version
      ), restored as (
        insert into lesson_notes (tutor_id, session_id, student_id, version, did, next_time, homework, due_on, published_at,
          created_at)
        select ${tutorId}::uuid, w.session_id, w.student_id, w.version + 1, p.did, p.next_time, p.homework, p.due_on,
          ${now}::timestamptz, ${now}::timestamptz
        from withdrawn w
        join lesson_notes p on p.tutor_id = ${tutorId}::uuid and p.session_id = w.session_id
          and p.student_id = w.student_id and p.version = w.version - 1
        where p.published_at is not null and p.withdrawn_at is null
        on conflict do nothing
      )
      select session_id as "sessionId", student_id as "studentId" from withdrawn`,
  ).execute();
