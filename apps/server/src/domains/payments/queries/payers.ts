import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { PayerRow } from '../rules/payer-shares.ts';

/** All payers of the students, of every date. */
export const payersOfStudents = (
  tx: Tx,
  tutorId: string,
  studentIds: readonly number[],
): Promise<(PayerRow & { studentId: number })[]> =>
  tx
    .selectFrom('student_payers')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', sql<number>`any(${studentIds}::int[])`)
    .select([
      'student_id as studentId',
      'family_id as familyId',
      'percent',
      'position',
      'from_date as from',
    ])
    .orderBy('student_id')
    .orderBy('from_date')
    .orderBy('position')
    .execute();

/** Replaces the payers of a student from a given date. */
export async function replacePayers(
  tx: Tx,
  tutorId: string,
  studentId: number,
  from: string,
  payers: readonly { familyId: number; percent: number }[],
): Promise<void> {
  await tx
    .deleteFrom('student_payers')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .where('from_date', '>=', from)
    .execute();
  await tx
    .insertInto('student_payers')
    .values(
      payers.map(({ familyId, percent }, position) => ({
        tutor_id: tutorId,
        student_id: studentId,
        family_id: familyId,
        percent,
        position,
        from_date: from,
      })),
    )
    .execute();
}

/**
 * Whether a scheduled session on or after a date was charged in advance to several payers, or to some of them only. Ignores
 * cancelled seats, which are settled.
 */
export async function hasAdvanceSplitSince(
  tx: Tx,
  tutorId: string,
  studentId: number,
  from: string,
): Promise<boolean> {
  const rows = await queryFromSql(
    tx,
    sql`
      select from charges c
      join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id and s.status = 'scheduled'
      join session_students x on x.tutor_id = c.tutor_id and x.session_id = c.session_id and x.student_id = c.student_id
        and x.state = 'expected'
      where c.tutor_id = ${tutorId}::uuid and c.student_id = ${studentId}::int
        and c.kind in ('lesson', 'cancellation') and not c.reversed
      group by c.session_id, x.fee
      having (sum(c.amount) < x.fee or count(*) > 1) and min(coalesce(c.payers_date, c.due_date)) >= ${from}::date
      limit 1`,
  ).execute();
  return rows.length > 0;
}

/** Active students for whom one of these accounts pays, with their main contact. */
export const activeStudentsPaidBy = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<{ studentId: number; contactId: number }>`
      select distinct s.id as "studentId", s.contact_id as "contactId"
      from student_payers p join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
      where p.tutor_id = ${tutorId}::uuid and p.family_id = any(${familyIds}::int[]) and s.archived_at is null
      order by s.id`,
  ).execute();
