import { randomToken } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';

export interface Payer {
  carerId: number | null;
  studentId: number | null;
}

export async function familyOf(tx: Tx, tutorId: string, payer: Payer): Promise<number | undefined> {
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

export async function insertFamily(
  tx: Tx,
  tutorId: string,
  id: number,
  payer: Payer,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('families')
    .values({
      tutor_id: tutorId,
      id,
      public_id: randomToken(),
      carer_id: payer.carerId,
      student_id: payer.studentId,
      created_at: now,
    })
    .execute();
}
