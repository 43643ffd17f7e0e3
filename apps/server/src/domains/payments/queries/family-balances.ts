import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { latestFamilyOf, studentsOnAccount } from './family-accounts.ts';

export interface BalanceRecord {
  currency: string;
  owed: number;
  credit: number;
  oldestDueDate: string | null;
}

/** Debt and credit by family and currency, calculated from the derived columns. */
export const familyBalances = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  selectBalances(tx, tutorId, sql`and family_id = any(${familyIds}::int[])`);

/** Balances of the account returned by `familyForStudent`. */
export const familyBalancesForStudent = (tx: Tx, tutorId: string, studentId: number) =>
  selectBalances(tx, tutorId, sql`and family_id = ${latestFamilyOf(tutorId, studentId)}`);

/** Balances of the family that made a payment. */
export const familyBalancesForPayment = (tx: Tx, tutorId: string, paymentId: number) =>
  selectBalances(
    tx,
    tutorId,
    sql`and family_id =
      (select p.family_id from payments p where p.tutor_id = ${tutorId}::uuid and p.id = ${paymentId}::int)`,
  );

function selectBalances(tx: Tx, tutorId: string, condition: RawBuilder<unknown>) {
  return queryFromSql(
    tx,
    sql<BalanceRecord & { familyId: number }>`
    select family_id as "familyId", currency, sum(owed)::int8 as owed, sum(credit)::int8 as credit, min(due) as "oldestDueDate"
    from (
      select family_id, currency, outstanding as owed, 0 as credit, due_date as due from charges
      where tutor_id = ${tutorId}::uuid and outstanding > 0 ${condition}
      union all
      select family_id, currency, 0, unallocated, null from payments
      where tutor_id = ${tutorId}::uuid and unallocated > 0 ${condition}
    ) as open
    group by family_id, currency
    order by family_id, currency`,
  );
}

/** Outstanding amounts of one student by currency. */
export const outstandingForStudent = (tx: Tx, tutorId: string, studentId: number) =>
  outstandingByStudent(tx, tutorId, sql`c.student_id = ${studentId}::int`);

/** Outstanding amounts by student and currency, for the students on one account. */
export const outstandingForFamilyStudents = (tx: Tx, tutorId: string, familyId: number) =>
  outstandingByStudent(
    tx,
    tutorId,
    sql`c.student_id in (${studentsOnAccount(tutorId, familyId, sql`s.id`)}) and c.family_id = ${familyId}::int`,
  );

const outstandingByStudent = (tx: Tx, tutorId: string, condition: RawBuilder<unknown>) =>
  queryFromSql(
    tx,
    sql<{ studentId: number; currency: string; owed: number }>`
      select c.student_id as "studentId", c.currency, sum(c.outstanding)::int8 as owed
      from charges c
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and ${condition}
      group by c.student_id, c.currency order by c.currency`,
  );
