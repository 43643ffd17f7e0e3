import { ERASED_NAME } from '@lessonbook/contract/account-deletion-and-erasure';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/**
 * Removes the student's name, place, notes and cancellation reasons. Keeps dates and fees. The title, place and notes of a
 * group belong to its other students too, so this function does not change them; the caller redacts only the strings that
 * identify the student.
 */
export async function eraseStudentFromLessons(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<void> {
  const title = sql<string>`${ERASED_NAME} || ' - ' || (select b.name from subjects b
    where b.tutor_id = ${tutorId}::uuid and b.id = subject_id)`;
  await tx
    .updateTable('lessons')
    .set({ title, place: null, uses_google_meet: false, notes: null })
    .where('tutor_id', '=', tutorId)
    .where(
      sql<boolean>`(select array_agg(distinct r.student_id) from lesson_students r
        where r.tutor_id = lessons.tutor_id and r.lesson_id = lessons.id) = array[${studentId}::int]`,
    )
    .execute();
  await tx
    .updateTable('sessions')
    .set({
      title,
      place: null,
      uses_google_meet: false,
      meet_link: null,
      notes: null,
      cancel_reason: null,
    })
    .where('tutor_id', '=', tutorId)
    .where(
      'id',
      'in',
      sql<number>`(select x.session_id from session_students x
        where x.tutor_id = ${tutorId}::uuid and x.student_id = ${studentId}::int and not exists (
          select from session_students other where other.tutor_id = x.tutor_id and other.session_id = x.session_id
            and other.student_id <> x.student_id))`,
    )
    .execute();
  await tx
    .updateTable('session_students')
    .set({ cancel_reason: null })
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .execute();
}
