import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

/** The current students of these families: those whose main contact holds the account, and those whose fees it pays. */
export const studentsOfFamilies = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  today: string,
) =>
  queryFromSql(
    tx,
    sql<{ familyId: number; studentId: number; name: string }>`
      select f.id as "familyId", s.id as "studentId", s.name from families f
      join students s on s.tutor_id = f.tutor_id and s.contact_id = f.contact_id
      where f.tutor_id = ${tutorId}::uuid and f.id = any(${familyIds}::int[])
        and s.archived_at is null and (s.status <> 'left' or s.left_on >= ${today}::date)
      union
      select p.family_id, s.id, s.name from student_payers p
      join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
      where p.tutor_id = ${tutorId}::uuid and p.family_id = any(${familyIds}::int[])
        and s.archived_at is null and (s.status <> 'left' or s.left_on >= ${today}::date)
        and p.from_date = (
          select max(latest.from_date) from student_payers latest
          where latest.tutor_id = p.tutor_id and latest.student_id = p.student_id and latest.from_date <= ${today}::date)
      order by name, "studentId"`,
  );

/** The families whose main contact gets the messages about lessons on a date. */
export const familiesWithLessonOn = (tx: Tx, tutorId: string, date: string) =>
  queryFromSql(
    tx,
    sql<{ familyId: number }>`
      select distinct f.id as "familyId" from sessions s
      join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
      join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
      join families f on f.tutor_id = st.tutor_id and f.contact_id = st.contact_id
      where s.tutor_id = ${tutorId}::uuid and s.date = ${date}::date and s.status in ('scheduled', 'completed')
        and x.state = 'expected'
      order by f.id`,
  );

export interface LastReminder {
  familyId: number;
  at: Date;
  /** Whether a reminder is a WhatsApp draft that the tutor has not sent yet. */
  isDraft: boolean;
}
