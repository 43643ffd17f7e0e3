import type { FamilyPerson } from '@lessonbook/contract/families';
import { type RawBuilder, sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { linkKeyOf } from '../../../platform/payment-and-feed-link-tokens.ts';

/** The accounts of these contacts; contacts without an account are left out. */
export const findFamilies = (tx: Tx, tutorId: string, contactIds: readonly number[]) =>
  tx
    .selectFrom('families')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', sql<number>`any(${contactIds}::int[])`)
    .select(['id', 'contact_id as contactId'])
    .execute();

export interface NewFamily {
  id: number;
  contactId: number;
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
    insert into families (tutor_id, id, public_id, contact_id, payment_reference, created_at)
    select ${tutorId}::uuid, f.id, f.public_id, f.contact_id, f.reference, ${now}::timestamptz
    from unnest(${column('id')}::int[], ${families.map(() => randomToken())}::text[], ${column('contactId')}::int[],
      ${column('reference')}::text[])
      as f(id, public_id, contact_id, reference)`.execute(tx);
}

/** The main contact of a student. Includes archived students. */
export const mainContactOf = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', studentId)
    .select('contact_id as contactId')
    .executeTakeFirst();

/** The account of the first payer in the student's latest payment arrangement, to which future charges are added. */
export const familyForStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('students')
    .where('students.tutor_id', '=', tutorId)
    .where('students.id', '=', studentId)
    .select([latestFamilyOf(tutorId, studentId).as('familyId'), 'students.name']);

export const latestFamilyOf = (tutorId: string, studentId: number) =>
  sql<number | null>`(
    select p.family_id from student_payers p
    where p.tutor_id = ${tutorId}::uuid and p.student_id = ${studentId}::int
    order by p.from_date desc, p.position limit 1)`;

/** Accounts with the payer's name and contact details. */
const familiesWithPayer = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('families')
    .innerJoin('contacts', (join) =>
      join
        .onRef('contacts.tutor_id', '=', 'families.tutor_id')
        .onRef('contacts.id', '=', 'families.contact_id'),
    )
    .where('families.tutor_id', '=', tutorId)
    .select([
      'families.id',
      'families.contact_id as contactId',
      sql<number | null>`case when contacts.student_id is null then contacts.id end`.as('carerId'),
      'contacts.student_id as studentId',
      'families.address',
      'families.payment_reference as reference',
      linkKeyOf(sql`'balance'`, sql.ref('families.tutor_id'), sql.ref('families.id')).as('linkKey'),
      'families.transfer_claimed_at as transferClaimedAt',
      'contacts.name',
      'contacts.email',
      'contacts.phone',
      'contacts.time_zone as timeZone',
    ]);

export const familyById = (tx: Tx, tutorId: string, id: number) =>
  familiesWithPayer(tx, tutorId).where('families.id', '=', id);

export const familiesByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  familiesWithPayer(tx, tutorId).where('families.id', '=', sql<number>`any(${ids}::int[])`);

/** The students on an account: those it pays for, and the student who is the payer. Includes archived students. */
export const studentsByFamily = (tx: Tx, tutorId: string, familyId: number) =>
  queryFromSql(
    tx,
    sql<{ studentId: number; name: string; isCurrent: boolean }>`
      ${studentsOnAccount(tutorId, familyId, sql`s.id as "studentId", s.name, s.archived_at is null as "isCurrent"`)}
      order by name, "studentId"`,
  );

/** The payer, then the contacts of the current students on an account. */
export const peopleByFamily = (tx: Tx, tutorId: string, familyId: number) =>
  queryFromSql(
    tx,
    sql<FamilyPerson>`
      with children as (
        select s.id, s.name, s.contact_id from students s
        where s.tutor_id = ${tutorId}::uuid and s.archived_at is null
          and s.id = any(array(${studentsOnAccount(tutorId, familyId, sql`s.id`)})))
      select c.id as "contactId", c.name, c.relationship, c.email, c.phone, f.id as "familyId",
        array(select m.name from children m where m.contact_id = c.id order by m.name, m.id) as "mainContactOf"
      from contacts c
      left join families f on f.tutor_id = c.tutor_id and f.contact_id = c.id
      where c.tutor_id = ${tutorId}::uuid and c.id = any(array(
        select p.contact_id from families p where p.tutor_id = ${tutorId}::uuid and p.id = ${familyId}::int
        union
        select a.contact_id from children m
        join contact_access a on a.tutor_id = ${tutorId}::uuid and a.student_id = m.id))
      order by f.id is distinct from ${familyId}::int, c.name, c.id`,
  );

/** Uses a union, because a join with OR would compare every student with every family. */
export const studentsOnAccount = (
  tutorId: string,
  familyId: number,
  columns: RawBuilder<unknown>,
) => sql`
  select ${columns} from student_payers p
  join students s on s.tutor_id = p.tutor_id and s.id = p.student_id
  where p.tutor_id = ${tutorId}::uuid and p.family_id = ${familyId}::int
  union
  select ${columns} from families f
  join contacts c on c.tutor_id = f.tutor_id and c.id = f.contact_id
  join students s on s.tutor_id = c.tutor_id and s.id = c.student_id
  where f.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int`;

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
