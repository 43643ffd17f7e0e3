import type { Context } from '../../../context.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { addPublicLinks } from '../../../platform/public-links.ts';
import {
  findFamilyId,
  insertFamily,
  type Payer,
  payerName,
  payerOfStudent,
} from '../queries/families.ts';
import { paymentReference } from '../rules/reference.ts';

/** The carer pays, or a student who has none; the payer of this moment is frozen on each charge. */
export async function getOrCreateFamily(
  tx: Tx,
  tutorId: string,
  student: { studentId: number; carerId: number | null },
  now: Date,
): Promise<number> {
  const { studentId, carerId } = student;
  const payer: Payer = { carerId, studentId: carerId === null ? studentId : null };
  const known = await findFamilyId(tx, tutorId, payer);
  return known ?? createFamily(tx, tutorId, payer, now);
}

/** Every payer has an account from the first day, so that money may come before the first lesson. */
export async function onStudentSaved(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const student = await payerOfStudent(tx, tutorId, studentId);
  if (student) await getOrCreateFamily(tx, tutorId, student, context.clock.now());
}

async function createFamily(tx: Tx, tutorId: string, payer: Payer, now: Date): Promise<number> {
  const [id] = (await nextIds(tx, tutorId, 'family')) as [number];
  const payToken = `b_${randomToken(24)}`;
  const reference = paymentReference(await payerName(tx, tutorId, payer), id);
  await insertFamily(tx, tutorId, { id, ...payer, payToken, reference, now });
  await addPublicLinks(tx, [
    { tokenHash: sha256(payToken), tutorId, kind: 'balance', targetId: id, now },
  ]);
  return id;
}
