import type { Tx } from '../../../platform/db/database.ts';
import type { SeatRef } from '../rules/seat-fees-and-rosters.ts';

/** Whether the note contains homework, in a draft or in a shared version. */
export async function hasHomework(
  tx: Tx,
  tutorId: string,
  { sessionId, studentId }: SeatRef,
): Promise<boolean> {
  const row = await tx
    .selectFrom('lesson_notes')
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sessionId)
    .where('student_id', '=', studentId)
    .where('homework', 'is not', null)
    .select('version')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Homework that is already marked as done is left unchanged. */
export async function insertHomeworkDone(
  tx: Tx,
  tutorId: string,
  { sessionId, studentId, contactId, at }: SeatRef & { contactId: number | null; at: Date },
): Promise<void> {
  await tx
    .insertInto('homework_done')
    .values({
      tutor_id: tutorId,
      session_id: sessionId,
      student_id: studentId,
      done_at: at,
      done_by: contactId === null ? 'tutor' : 'contact',
      contact_id: contactId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteHomeworkDone(
  tx: Tx,
  tutorId: string,
  { sessionId, studentId }: SeatRef,
): Promise<void> {
  await tx
    .deleteFrom('homework_done')
    .where('tutor_id', '=', tutorId)
    .where('session_id', '=', sessionId)
    .where('student_id', '=', studentId)
    .execute();
}
