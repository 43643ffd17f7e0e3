import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { addPublicLinks } from '../../../platform/public-link-store.ts';
import { findFamilyId, findPayerName, insertFamily, type Payer } from '../queries/families.ts';
import { buildPaymentReference } from '../rules/reference.ts';

/** The payer is the carer, or the student if there is no carer. Existing charges keep their payer if this changes. */
export async function getOrCreateFamily(
  tx: Tx,
  tutorId: string,
  student: { studentId: number; carerId: number | null },
  now: Date,
): Promise<number> {
  const { studentId, carerId } = student;
  const payer: Payer = { carerId, studentId: carerId === null ? studentId : null };
  const existing = await findFamilyId(tx, tutorId, payer);
  return existing ?? createFamily(tx, tutorId, payer, now);
}

async function createFamily(tx: Tx, tutorId: string, payer: Payer, now: Date): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'family')) as [number];
  const payToken = `b_${randomToken(24)}`;
  const reference = buildPaymentReference(await findPayerName(tx, tutorId, payer), id);
  await insertFamily(tx, tutorId, { id, ...payer, payToken, reference, now });
  await addPublicLinks(tx, [
    { tokenHash: sha256(payToken), tutorId, kind: 'balance', targetId: id, now },
  ]);
  return id;
}
