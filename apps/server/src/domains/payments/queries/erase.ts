import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

interface PersonRef {
  kind: 'student' | 'carer';
  id: number;
}

export async function familiesForPerson(tx: Tx, tutorId: string, person: PersonRef) {
  return tx
    .selectFrom('families')
    .innerJoin('contacts', (join) =>
      join
        .onRef('contacts.tutor_id', '=', 'families.tutor_id')
        .onRef('contacts.id', '=', 'families.contact_id'),
    )
    .where('families.tutor_id', '=', tutorId)
    .where(person.kind === 'student' ? 'contacts.student_id' : 'contacts.id', '=', person.id)
    .select('families.id')
    .execute();
}

/** Accounts that pay or have paid for a student. Messages to their payers may contain the student's name. */
export async function familyIdsWithStudent(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select family_id as id from student_payers where tutor_id = ${tutorId}::uuid and student_id = ${studentId}::int
    union select family_id from charges where tutor_id = ${tutorId}::uuid and student_id = ${studentId}::int`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

export async function eraseFamily(tx: Tx, tutorId: string, id: number): Promise<void> {
  await tx
    .updateTable('families')
    .set({
      address: null,
      payment_reference: `ERASED${id}`,
      transfer_claimed_at: null,
    })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}

/** Removes descriptions and notes; keeps amounts, dates and currencies. */
export async function eraseEntries(
  tx: Tx,
  tutorId: string,
  scope: { familyIds: readonly number[]; studentId: number | null },
): Promise<void> {
  await tx
    .updateTable('charges')
    .set({ description: sql`case when kind <> 'write_off' then 'Item' end` })
    .where('tutor_id', '=', tutorId)
    .where('description', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('family_id', '=', sql<number>`any(${scope.familyIds}::int[])`),
        eb('student_id', '=', scope.studentId),
      ]),
    )
    .execute();
  await tx
    .updateTable('payments')
    .set({ note: null })
    .where('tutor_id', '=', tutorId)
    .where('family_id', '=', sql<number>`any(${scope.familyIds}::int[])`)
    .execute();
  await sql`update refund_requests r set note = null from payments p
    where r.tutor_id = ${tutorId}::uuid and p.tutor_id = r.tutor_id and p.id = r.payment_id
      and p.family_id = any(${scope.familyIds}::int[])`.execute(tx);
}
