import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { addPublicLinks } from '../../../platform/public-link-store.ts';
import {
  findFamilies,
  findPayerNames,
  insertFamilies,
  type NewFamily,
  type Payer,
} from '../queries/families.ts';
import { buildPaymentReference } from '../rules/reference.ts';

interface StudentWithCarer {
  studentId: number;
  carerId: number | null;
}

/**
 * Returns the account of each student's payer, in order, and creates those that are missing. The payer is the carer, or
 * the student if there is no carer. Existing charges keep their payer if this changes.
 */
export async function getOrCreateFamilies(
  tx: Tx,
  tutorId: string,
  students: readonly StudentWithCarer[],
  now: Date,
): Promise<number[]> {
  if (students.length === 0) return [];
  const payers = students.map(toPayer);
  const existing = await findFamilies(tx, tutorId, payers);
  const idByPayer = new Map(existing.map((family) => [payerKey(family), family.id]));
  const missing = new Map(
    payers
      .filter((payer) => !idByPayer.has(payerKey(payer)))
      .map((payer) => [payerKey(payer), payer]),
  );
  for (const family of await createFamilies(tx, tutorId, [...missing.values()], now))
    idByPayer.set(payerKey(family), family.id);
  return payers.map((payer) => idByPayer.get(payerKey(payer)) as number);
}

const toPayer = ({ studentId, carerId }: StudentWithCarer): Payer => ({
  carerId,
  studentId: carerId === null ? studentId : null,
});

const payerKey = ({ carerId, studentId }: Payer): string =>
  carerId === null ? `student ${studentId}` : `carer ${carerId}`;

async function createFamilies(
  tx: Tx,
  tutorId: string,
  payers: readonly Payer[],
  now: Date,
): Promise<NewFamily[]> {
  if (payers.length === 0) return [];
  const ids = await nextIdsForKind(tx, tutorId, 'family', payers.length);
  const names = await findPayerNames(tx, tutorId, payers);
  const families = payers.map((payer, index) => {
    const id = ids[index] as number;
    const reference = buildPaymentReference(names[index] ?? '', id);
    return { ...payer, id, payToken: `b_${randomToken(24)}`, reference };
  });
  await insertFamilies(tx, tutorId, families, now);
  await addPublicLinks(
    tx,
    families.map(({ id, payToken }) => ({
      tokenHash: sha256(payToken),
      tutorId,
      kind: 'balance' as const,
      targetId: id,
      now,
    })),
  );
  return families;
}
