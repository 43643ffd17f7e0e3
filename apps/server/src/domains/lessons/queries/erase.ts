import { ERASED_NAME } from '@lessonbook/contract/privacy';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Removes the student's name, place, notes and cancellation reasons. Keeps dates and fees. */
export async function eraseStudentFromLessons(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<void> {
  const title = sql<string>`${ERASED_NAME} || ' - ' || (select b.name from subjects b
    where b.tutor_id = ${tutorId}::uuid and b.id = subject_id)`;
  await tx
    .updateTable('lessons')
    .set({ title, place: null, notes: null })
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .execute();
  await tx
    .updateTable('sessions')
    .set({ title, place: null, notes: null, cancel_reason: null })
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .execute();
}
