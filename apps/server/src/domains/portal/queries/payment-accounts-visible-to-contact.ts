import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface PortalAccountRow {
  familyId: number;
  isPayer: boolean;
}

/** Runs with the contact's role. */
export const portalAccounts = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<PortalAccountRow>`
      select family_id as "familyId", is_payer as "isPayer" from portal_accounts order by is_payer desc, family_id`,
  );

/**
 * The application's own check of the same rule: an account of their own, or, for a person who pays for no one, an account on
 * which they may see the payments for every student.
 */
export const accountsOfContact = (
  tx: Tx,
  tutorId: string,
  contactId: number,
  studentIds: readonly number[],
) =>
  queryFromSql(
    tx,
    sql<PortalAccountRow>`
      with own as (
        select id from families where tutor_id = ${tutorId}::uuid and contact_id = ${contactId}::int),
      payer as (
        select 1 from student_payers
        where tutor_id = ${tutorId}::uuid and family_id in (select id from own))
      select id as "familyId", true as "isPayer" from own
      union all
      select f.id, false from families f
      where f.tutor_id = ${tutorId}::uuid and f.contact_id <> ${contactId}::int and not exists (select from payer)
        and f.id in (
          select family_id from student_payers
          where tutor_id = ${tutorId}::uuid and student_id = any(${studentIds}::int[]))
        and not exists (
          select student_id from student_payers where tutor_id = f.tutor_id and family_id = f.id
          union
          select student_id from charges
          where tutor_id = f.tutor_id and family_id = f.id and student_id is not null
          except
          select student_id from contact_access
          where tutor_id = f.tutor_id and contact_id = ${contactId}::int and sees_money)`,
  );
