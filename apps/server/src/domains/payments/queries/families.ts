import { type RawBuilder, sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

export interface Payer {
  carerId: number | null;
  studentId: number | null;
}

/** The accounts of these payers; payers without an account are omitted. */
export const findFamilies = (
  tx: Tx,
  tutorId: string,
  payers: readonly Payer[],
): Promise<(Payer & { id: number })[]> =>
  rawQuery(
    tx,
    sql<Payer & { id: number }>`
      select id, carer_id as "carerId", student_id as "studentId" from families
      where tutor_id = ${tutorId}::uuid and carer_id = any(${payers.map((payer) => payer.carerId)}::int[])
      union all
      select id, carer_id, student_id from families
      where tutor_id = ${tutorId}::uuid and student_id = any(${payers.map((payer) => payer.studentId)}::int[])`,
  ).execute();

export interface NewFamily extends Payer {
  id: number;
  payToken: string;
  reference: string;
}

export async function insertFamilies(
  tx: Tx,
  tutorId: string,
  families: readonly NewFamily[],
  now: Date,
): Promise<void> {
  const column = <K extends keyof NewFamily>(key: K) => families.map((family) => family[key]);
  await sql`
    insert into families (tutor_id, id, public_id, carer_id, student_id, pay_token, payment_reference, created_at)
    select ${tutorId}::uuid, f.id, f.public_id, f.carer_id, f.student_id, f.pay_token, f.reference, ${now}::timestamptz
    from unnest(${column('id')}::int[], ${families.map(() => randomToken())}::text[], ${column('carerId')}::int[],
      ${column('studentId')}::int[], ${column('payToken')}::text[], ${column('reference')}::text[])
      as f(id, public_id, carer_id, student_id, pay_token, reference)`.execute(tx);
}

/** Includes archived students. */
export const payerForStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', studentId)
    .select(['id as studentId', 'carer_id as carerId'])
    .executeTakeFirst();

/** The account to which future charges for a student are added. */
export const familyForStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('students')
    .leftJoin('families as carer_families', (join) =>
      join
        .onRef('carer_families.tutor_id', '=', 'students.tutor_id')
        .onRef('carer_families.carer_id', '=', 'students.carer_id'),
    )
    .leftJoin('families as own_families', (join) =>
      join
        .onRef('own_families.tutor_id', '=', 'students.tutor_id')
        .onRef('own_families.student_id', '=', 'students.id')
        .on('students.carer_id', 'is', null),
    )
    .where('students.tutor_id', '=', tutorId)
    .where('students.id', '=', studentId)
    .select([
      sql<number | null>`coalesce(carer_families.id, own_families.id)`.as('familyId'),
      'students.name',
    ]);

/** The payers' names in the given order. */
export async function findPayerNames(
  tx: Tx,
  tutorId: string,
  payers: readonly Payer[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(ca.name, st.name) as name
    from unnest(${payers.map((payer) => payer.carerId)}::int[], ${payers.map((payer) => payer.studentId)}::int[])
      with ordinality as p(carer_id, student_id, position)
    left join carers ca on ca.tutor_id = ${tutorId}::uuid and ca.id = p.carer_id
    left join students st on st.tutor_id = ${tutorId}::uuid and st.id = p.student_id
    order by p.position`.execute(tx);
  return rows.map(({ name }) => name ?? '');
}

/** Accounts with the payer's name and contact details. */
const familiesWithPayer = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('families')
    .leftJoin('carers', (join) =>
      join
        .onRef('carers.tutor_id', '=', 'families.tutor_id')
        .onRef('carers.id', '=', 'families.carer_id'),
    )
    .leftJoin('students as payers', (join) =>
      join
        .onRef('payers.tutor_id', '=', 'families.tutor_id')
        .onRef('payers.id', '=', 'families.student_id'),
    )
    .where('families.tutor_id', '=', tutorId)
    .select([
      'families.id',
      'families.carer_id as carerId',
      'families.student_id as studentId',
      'families.address',
      'families.payment_reference as reference',
      'families.pay_token as payToken',
      'families.transfer_claimed_at as transferClaimedAt',
      sql<string>`coalesce(carers.name, payers.name)`.as('name'),
      sql<string | null>`coalesce(carers.email, payers.email)`.as('email'),
      sql<string | null>`coalesce(carers.phone, payers.phone)`.as('phone'),
    ]);

export const familyById = (tx: Tx, tutorId: string, id: number) =>
  familiesWithPayer(tx, tutorId).where('families.id', '=', id);

export const familiesByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  familiesWithPayer(tx, tutorId).where('families.id', '=', sql<number>`any(${ids}::int[])`);

/** The students on an account: the carer's students, or the student who is the payer. Includes archived students. */
export const studentsByFamily = (tx: Tx, tutorId: string, familyId: number) =>
  rawQuery(
    tx,
    sql<{ studentId: number; name: string }>`
      ${studentsOnAccount(tutorId, familyId, sql`s.id as "studentId", s.name`)} order by name, "studentId"`,
  );

/** A union, because a join with OR compares every student with every family. */
export const studentsOnAccount = (
  tutorId: string,
  familyId: number,
  columns: RawBuilder<unknown>,
) => sql`
  select ${columns} from families f
  join students s on s.tutor_id = f.tutor_id and s.carer_id = f.carer_id
  where f.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int
  union all
  select ${columns} from families f
  join students s on s.tutor_id = f.tutor_id and s.id = f.student_id
  where f.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int`;

export interface BalanceRecord {
  currency: string;
  owed: number;
  credit: number;
  oldestDueDate: string | null;
}

/** Debt and credit by family and currency, calculated from the derived columns. */
export const familyBalances = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  balancesWhere(tx, tutorId, sql`and family_id = any(${familyIds}::int[])`);

/** Balances of the family that made a payment. */
export const familyBalancesForPayment = (tx: Tx, tutorId: string, paymentId: number) =>
  balancesWhere(
    tx,
    tutorId,
    sql`and family_id =
      (select p.family_id from payments p where p.tutor_id = ${tutorId}::uuid and p.id = ${paymentId}::int)`,
  );

function balancesWhere(tx: Tx, tutorId: string, condition: RawBuilder<unknown>) {
  return rawQuery(
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
    sql`c.student_id in (${studentsOnAccount(tutorId, familyId, sql`s.id`)})`,
  );

const outstandingByStudent = (tx: Tx, tutorId: string, condition: RawBuilder<unknown>) =>
  rawQuery(
    tx,
    sql<{ studentId: number; currency: string; owed: number }>`
      select c.student_id as "studentId", c.currency, sum(c.outstanding)::int8 as owed
      from charges c
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > 0 and ${condition}
      group by c.student_id, c.currency order by c.currency`,
  );

export async function updateFamily(
  tx: Tx,
  tutorId: string,
  id: number,
  change: {
    address?: string | null;
    payment_reference?: string;
    transfer_claimed_at?: Date | null;
  },
): Promise<boolean> {
  const changed = await tx
    .updateTable('families')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
