import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

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
        f.id) as "familyId"
      from students st
      left join families f on f.tutor_id = st.tutor_id
        and (f.carer_id = st.carer_id or (st.carer_id is null and f.student_id = st.id))
      where st.tutor_id = ${tutorId}::uuid and st.id = ${student}`,
  );
}

/** The currency of the family's latest lesson, for payments made before the first charge. */
export const latestLessonCurrency = (tx: Tx, tutorId: string, familyId: number) =>
  rawQuery(
    tx,
    sql<{ currency: string }>`
      select l.currency from lessons l
      join students st on st.tutor_id = l.tutor_id and st.id = l.student_id
      join families f on f.tutor_id = st.tutor_id and (f.carer_id = st.carer_id or f.student_id = st.id)
      where l.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int
      order by l.id desc limit 1`,
  );
