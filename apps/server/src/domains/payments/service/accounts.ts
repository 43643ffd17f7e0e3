import type { Context } from '../../../context.ts';
import { takeIds } from '../../../platform/counters.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { addPublicLinks } from '../../../platform/public-links.ts';
import {
  familyOf,
  insertFamily,
  type Payer,
  payerName,
  payerOfStudent,
} from '../queries/families.ts';
import { paymentReference } from '../rules/reference.ts';

/** The carer pays, or a student who has none; the payer of this moment is frozen on each charge. */
export async function familyFor(
  tx: Tx,
  tutorId: string,
  student: { studentId: number; carerId: number | null },
  now: Date,
): Promise<number> {
  const { studentId, carerId } = student;
  const payer: Payer = { carerId, studentId: carerId === null ? studentId : null };
  const known = await familyOf(tx, tutorId, payer);
  return known ?? openAccount(tx, tutorId, payer, now);
}

/** Every payer has an account from the first day, so that money may come before the first lesson. */
export async function hearStudentSaved(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const student = await payerOfStudent(tx, tutorId, studentId);
  if (student) await familyFor(tx, tutorId, student, context.clock.now());
}

async function openAccount(tx: Tx, tutorId: string, payer: Payer, now: Date): Promise<number> {
  const [id] = (await takeIds(tx, tutorId, 'family')) as [number];
  const payToken = `b_${randomToken(24)}`;
  const reference = paymentReference(await payerName(tx, tutorId, payer), id);
  await insertFamily(tx, tutorId, { id, ...payer, payToken, reference, now });
  await addPublicLinks(tx, [
    { tokenHash: sha256(payToken), tutorId, kind: 'balance', targetId: id, now },
  ]);
  return id;
}
