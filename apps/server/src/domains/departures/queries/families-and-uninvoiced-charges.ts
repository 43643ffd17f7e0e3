import type { Currency } from '@lessonbook/contract/money';
import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

interface FamilyOfStudent {
  studentId: number;
  familyId: number;
  /** Whether the account is the main contact's. Only main contacts are sent a message; the others only pay. */
  isMain: boolean;
}

/** The accounts of the main contacts of these students, and of everybody who pays for them on a date. */
export const familiesOfStudents = (
  tx: Tx,
  tutorId: string,
  studentIds: readonly number[],
  date: string,
) =>
  queryFromSql(
    tx,
    sql<FamilyOfStudent>`
      select f."studentId", f."familyId", bool_or(f."isMain") as "isMain" from (
        select s.id as "studentId", f.id as "familyId", true as "isMain" from students s
        join families f on f.tutor_id = s.tutor_id and f.contact_id = s.contact_id
        where s.tutor_id = ${tutorId}::uuid and s.id = any(${studentIds}::int[])
        union all
        select p.student_id, p.family_id, false from student_payers p
        where p.tutor_id = ${tutorId}::uuid and p.student_id = any(${studentIds}::int[]) and p.from_date = (
          select max(latest.from_date) from student_payers latest where latest.tutor_id = p.tutor_id
            and latest.student_id = p.student_id and latest.from_date <= ${date}::date)
      ) f
      group by f."studentId", f."familyId"
      order by f."familyId", f."studentId"`,
  );

/** Null while families cannot use the portal. */
export const portalOpenedAt = (tx: Tx, tutorId: string) =>
  tx.selectFrom('tutors').where('tutor_id', '=', tutorId).select('portal_opened_at as openedAt');

/** The unpaid amount of the charges that are not on an invoice yet, by family and currency. */
export const uninvoicedCharges = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<{ familyId: number; currency: Currency; amount: number; lessons: number }>`
      select family_id as "familyId", currency, sum(outstanding)::int as amount,
        count(distinct session_id)::int as lessons
      from charges
      where tutor_id = ${tutorId}::uuid and family_id = any(${familyIds}::int[]) and invoice_id is null and outstanding > 0
        and kind in ('lesson', 'cancellation', 'travel', 'item')
      group by family_id, currency
      order by family_id, currency`,
  );
