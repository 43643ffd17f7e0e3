import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { studentsOnAccount } from './family-accounts.ts';

/** Where the form was opened from. */
export interface PaymentFormOrigin {
  lessonId?: number | undefined;
  sessionId?: number | undefined;
  studentId?: number | undefined;
  familyId?: number | undefined;
  invoiceId?: number | undefined;
}

/**
 * Returns the account with the session's charge, open charges first, or with the oldest open charge for the lesson or
 * student, since the payer may have changed. If there is no such charge, returns the account of the student's first payer.
 */
export function resolvePayer(tx: Tx, tutorId: string, origin: PaymentFormOrigin) {
  if (origin.familyId !== undefined) {
    return queryFromSql(
      tx,
      sql<{ familyId: number | null }>`
        select id as "familyId" from families where tutor_id = ${tutorId}::uuid and id = ${origin.familyId}::int`,
    );
  }
  if (origin.invoiceId !== undefined) {
    return queryFromSql(
      tx,
      sql<{ familyId: number | null }>`
        select family_id as "familyId" from invoices where tutor_id = ${tutorId}::uuid and id = ${origin.invoiceId}::int`,
    );
  }
  const [matchingCharge, student] =
    origin.sessionId !== undefined
      ? [
          sql`c.session_id = ${origin.sessionId}::int and c.kind in ('lesson', 'cancellation', 'travel') and not c.reversed`,
          sql`(select student_id from session_students where tutor_id = ${tutorId}::uuid and session_id = ${origin.sessionId}::int
            order by position limit 1)`,
        ]
      : origin.lessonId !== undefined
        ? [
            sql`c.outstanding > 0 and c.session_id in
              (select id from sessions where tutor_id = ${tutorId}::uuid and lesson_id = ${origin.lessonId}::int)`,
            sql`(select student_id from lesson_students where tutor_id = ${tutorId}::uuid and lesson_id = ${origin.lessonId}::int
              order by to_date desc nulls first, position limit 1)`,
          ]
        : [
            sql`c.outstanding > 0 and c.student_id = ${origin.studentId ?? null}::int`,
            sql`${origin.studentId ?? null}::int`,
          ];
  return queryFromSql(
    tx,
    sql<{ familyId: number | null }>`
      select coalesce(
        (select c.family_id from charges c where c.tutor_id = ${tutorId}::uuid and ${matchingCharge} order by c.outstanding = 0, c.due_date, c.id limit 1),
        (select p.family_id from student_payers p where p.tutor_id = st.tutor_id and p.student_id = st.id
          order by p.from_date desc, p.position limit 1)) as "familyId"
      from students st
      where st.tutor_id = ${tutorId}::uuid and st.id = ${student}`,
  );
}

/** The currency of the family's latest lesson, for payments made before the first charge. */
export const latestLessonCurrency = (tx: Tx, tutorId: string, familyId: number) =>
  queryFromSql(
    tx,
    sql<{ currency: string }>`
      select l.currency from lessons l
      join lesson_students r on r.tutor_id = l.tutor_id and r.lesson_id = l.id
      where l.tutor_id = ${tutorId}::uuid
        and r.student_id in (${studentsOnAccount(tutorId, familyId, sql`s.id`)})
      order by l.id desc limit 1`,
  );
