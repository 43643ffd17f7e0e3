import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { sql } from 'kysely';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';
import type { BalanceRecord } from './families.ts';

export interface FamilyListRecord {
  id: number;
  name: string;
  transferClaimedAt: Date | null;
  /** Includes archived students. */
  students: string[];
  balances: BalanceRecord[];
}

/** A page of the accounts with a current student, debt or credit. */
export const familiesPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  familyList(
    tx,
    tutorId,
    sql`
      select f.id from families f
      where f.tutor_id = ${tutorId}::uuid and f.id > ${after}::int
        and (exists (select from student_payers p
            join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
            where p.tutor_id = f.tutor_id and p.family_id = f.id and s.archived_at is null)
          or exists (select from charges c where c.tutor_id = f.tutor_id and c.family_id = f.id and c.outstanding > 0)
          or exists (select from payments p where p.tutor_id = f.tutor_id and p.family_id = f.id and p.unallocated > 0))
      order by f.id limit ${limit}::int`,
  );

/** A page of the accounts with an amount owed. */
export const owingFamiliesPage = (tx: Tx, tutorId: string, { limit, after }: PageQuery) =>
  familyList(
    tx,
    tutorId,
    sql`
      select distinct c.family_id from charges c
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and c.family_id > ${after}::int
      order by c.family_id limit ${limit}::int`,
  );

/** Reads students and balances only for the accounts of the page. */
const familyList = (tx: Tx, tutorId: string, pageIds: ReturnType<typeof sql>) =>
  rawQuery(
    tx,
    // An array, so that the page is always looked up by primary key.
    sql<FamilyListRecord>`
      select f.id, co.name, f.transfer_claimed_at as "transferClaimedAt",
        account_students.names as students, account_balances.balances
      from families f
      join contacts co on co.tutor_id = f.tutor_id and co.id = f.contact_id
      cross join lateral (
        select coalesce(array_agg(s.name order by s.name, s.id), '{}') as names
        from (
          select s.name, s.id from student_payers p
          join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
          where p.tutor_id = f.tutor_id and p.family_id = f.id
          union
          select s.name, s.id from students s where s.tutor_id = f.tutor_id and s.id = co.student_id
        ) as s) as account_students
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('currency', b.currency, 'owed', b.owed, 'credit', b.credit,
          'oldestDueDate', b.oldest_due_date) order by b.currency), '[]') as balances
        from (
          select currency, sum(owed) as owed, sum(credit) as credit, min(due_date) as oldest_due_date
          from (
            select c.currency, c.outstanding as owed, 0 as credit, c.due_date from charges c
            where c.tutor_id = f.tutor_id and c.family_id = f.id and c.outstanding > 0
            union all
            select p.currency, 0, p.unallocated, null from payments p
            where p.tutor_id = f.tutor_id and p.family_id = f.id and p.unallocated > 0
          ) as open group by currency) as b) as account_balances
      where f.tutor_id = ${tutorId}::uuid and f.id = any(array(${pageIds}))
      order by f.id`,
  );
