import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';
import { studentsOnAccount } from './families.ts';

/** Where the form was opened from. */
export interface PaymentFormOrigin {
  lessonId?: number | undefined;
  sessionId?: number | undefined;
  studentId?: number | undefined;
  familyId?: number | undefined;
}

/**
 * Returns the account with the session's charge, or with the oldest open charge for the lesson or student, since the payer
 * may have changed. If there is no such charge, returns the account of the student's current payer.
 */
export function resolvePayer(tx: Tx, tutorId: string, origin: PaymentFormOrigin) {
  if (origin.familyId !== undefined) {
    return rawQuery(
      tx,
      sql<{ familyId: number | null }>`
        select id as "familyId" from families where tutor_id = ${tutorId}::uuid and id = ${origin.familyId}::int`,
    );
  }
  const [matchingCharge, student] =
    origin.sessionId !== undefined
      ? [
          sql`c.session_id = ${origin.sessionId}::int and c.kind in ('lesson', 'cancellation') and not c.reversed`,
          sql`(select student_id from sessions where tutor_id = ${tutorId}::uuid and id = ${origin.sessionId}::int)`,
        ]
      : origin.lessonId !== undefined
        ? [
            sql`c.outstanding > 0 and c.session_id in
              (select id from sessions where tutor_id = ${tutorId}::uuid and lesson_id = ${origin.lessonId}::int)`,
            sql`(select student_id from lessons where tutor_id = ${tutorId}::uuid and id = ${origin.lessonId}::int)`,
          ]
        : [
            sql`c.outstanding > 0 and c.student_id = ${origin.studentId ?? null}::int`,
            sql`${origin.studentId ?? null}::int`,
          ];
  return rawQuery(
    tx,
    sql<{ familyId: number | null }>`
      select coalesce(
        (select c.family_id from charges c where c.tutor_id = ${tutorId}::uuid and ${matchingCharge} order by c.due_date, c.id limit 1),
        cf.id, sf.id) as "familyId"
      from students st
      left join families cf on cf.tutor_id = st.tutor_id and cf.carer_id = st.carer_id
      left join families sf on sf.tutor_id = st.tutor_id and sf.student_id = st.id and st.carer_id is null
      where st.tutor_id = ${tutorId}::uuid and st.id = ${student}`,
  );
}

/** The currency of the family's latest lesson, for payments made before the first charge. */
export const latestLessonCurrency = (tx: Tx, tutorId: string, familyId: number) =>
  rawQuery(
    tx,
    sql<{ currency: string }>`
      select l.currency from lessons l
      where l.tutor_id = ${tutorId}::uuid
        and l.student_id in (${studentsOnAccount(tutorId, familyId, sql`s.id`)})
      order by l.id desc limit 1`,
  );
