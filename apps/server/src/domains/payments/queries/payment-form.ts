import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

/** Where the tutor came from; the narrowest that is given counts. */
export interface PaymentOrigin {
  lessonId?: number | undefined;
  sessionId?: number | undefined;
  studentId?: number | undefined;
  familyId?: number | undefined;
}

/**
 * Whose account it is: of the session's own charge, or of the oldest open charge of the lesson or student, since the payer
 * may have changed; without any, whoever pays for the student now.
 */
export function resolvePayer(tx: Tx, tutorId: string, from: PaymentOrigin) {
  if (from.familyId !== undefined) {
    return rawQuery(
      tx,
      sql<{ familyId: number | null }>`
        select id as "familyId" from families where tutor_id = ${tutorId}::uuid and id = ${from.familyId}::int`,
    );
  }
  const [wanted, student] =
    from.sessionId !== undefined
      ? [
          sql`c.session_id = ${from.sessionId}::int and c.kind in ('lesson', 'cancellation') and not c.reversed`,
          sql`(select student_id from sessions where tutor_id = ${tutorId}::uuid and id = ${from.sessionId}::int)`,
        ]
      : from.lessonId !== undefined
        ? [
            sql`c.outstanding > 0 and c.session_id in
              (select id from sessions where tutor_id = ${tutorId}::uuid and lesson_id = ${from.lessonId}::int)`,
            sql`(select student_id from lessons where tutor_id = ${tutorId}::uuid and id = ${from.lessonId}::int)`,
          ]
        : [
            sql`c.outstanding > 0 and c.student_id = ${from.studentId ?? null}::int`,
            sql`${from.studentId ?? null}::int`,
          ];
  return rawQuery(
    tx,
    sql<{ familyId: number | null }>`
      select coalesce(
        (select c.family_id from charges c where c.tutor_id = ${tutorId}::uuid and ${wanted} order by c.due_date, c.id limit 1),
        f.id) as "familyId"
      from students st
      left join families f on f.tutor_id = st.tutor_id
        and (f.carer_id = st.carer_id or (st.carer_id is null and f.student_id = st.id))
      where st.tutor_id = ${tutorId}::uuid and st.id = ${student}`,
  );
}

/** In what the family's lessons are paid, for a first payment before anything is owed. */
export const lessonCurrency = (tx: Tx, tutorId: string, familyId: number) =>
  rawQuery(
    tx,
    sql<{ currency: string }>`
      select l.currency from lessons l
      join students st on st.tutor_id = l.tutor_id and st.id = l.student_id
      join families f on f.tutor_id = st.tutor_id and (f.carer_id = st.carer_id or f.student_id = st.id)
      where l.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int
      order by l.id desc limit 1`,
  );
