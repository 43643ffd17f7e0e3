import { type RawBuilder, sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import { rawQuery, type Tx } from '../../../platform/db/database.ts';

export interface Payer {
  carerId: number | null;
  studentId: number | null;
}

export async function findFamilyId(
  tx: Tx,
  tutorId: string,
  payer: Payer,
): Promise<number | undefined> {
  const { carerId, studentId } = payer;
  const row = await tx
    .selectFrom('families')
    .where('tutor_id', '=', tutorId)
    .where((eb) =>
      carerId === null ? eb('student_id', '=', studentId) : eb('carer_id', '=', carerId),
    )
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

export interface NewFamily extends Payer {
  id: number;
  payToken: string;
  reference: string;
  now: Date;
}

export async function insertFamily(tx: Tx, tutorId: string, family: NewFamily): Promise<void> {
  await tx
    .insertInto('families')
    .values({
      tutor_id: tutorId,
      id: family.id,
      public_id: randomToken(),
      carer_id: family.carerId,
      student_id: family.studentId,
      pay_token: family.payToken,
      payment_reference: family.reference,
      created_at: family.now,
    })
    .execute();
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
    .leftJoin('families', (join) =>
      join
        .onRef('families.tutor_id', '=', 'students.tutor_id')
        .on((eb) =>
          eb.or([
            eb('families.carer_id', '=', eb.ref('students.carer_id')),
            eb.and([
              eb('students.carer_id', 'is', null),
              eb('families.student_id', '=', eb.ref('students.id')),
            ]),
          ]),
        ),
    )
    .where('students.tutor_id', '=', tutorId)
    .where('students.id', '=', studentId)
    .select(['families.id as familyId', 'students.name']);

export async function findPayerName(tx: Tx, tutorId: string, payer: Payer): Promise<string> {
  const [table, id] =
    payer.carerId === null
      ? (['students', payer.studentId] as const)
      : (['carers', payer.carerId] as const);
  const row = await tx
    .selectFrom(table)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select('name')
    .executeTakeFirst();
  return row?.name ?? '';
}

/** Accounts with the payer's name and contact details. */
export const familiesWithPayer = (tx: Tx, tutorId: string) =>
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

export type FamilyRecord = RowOf<ReturnType<typeof familiesWithPayer>>;

export const familyById = (tx: Tx, tutorId: string, id: number) =>
  familiesWithPayer(tx, tutorId).where('families.id', '=', id);

/** The students on each account: the carer's students, or the student who is the payer. */
export const studentsByFamily = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('families')
    .innerJoin('students', (join) =>
      join
        .onRef('students.tutor_id', '=', 'families.tutor_id')
        .on((eb) =>
          eb.or([
            eb('students.carer_id', '=', eb.ref('families.carer_id')),
            eb('students.id', '=', eb.ref('families.student_id')),
          ]),
        ),
    )
    .where('families.tutor_id', '=', tutorId)
    .select([
      'families.id as familyId',
      'students.id as studentId',
      'students.name',
      'students.archived_at as archivedAt',
      'students.carer_id as carerId',
    ])
    .orderBy('students.name')
    .orderBy('students.id');

export interface BalanceRecord {
  familyId: number;
  currency: string;
  owed: number;
  credit: number;
  oldestDueDate: string | null;
}

/** Debt and credit by family and currency, calculated from the derived columns. */
export function familyBalances(tx: Tx, tutorId: string, familyId: number | null = null) {
  return balancesWhere(
    tx,
    tutorId,
    familyId === null ? sql`` : sql`and family_id = ${familyId}::int`,
  );
}

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
    sql<BalanceRecord>`
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

/** Outstanding amounts by student and currency. */
export const outstandingByStudent = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('charges')
    .where('tutor_id', '=', tutorId)
    .where('outstanding', '>', sql.lit(0))
    .where('student_id', 'is not', null)
    .groupBy(['student_id', 'currency'])
    .orderBy('currency')
    .select((eb) => [
      'student_id as studentId',
      'currency',
      eb.fn.sum<number>('outstanding').as('owed'),
    ]);

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
