import { takeIds } from '../../../platform/counters.ts';
import type { Tx } from '../../../platform/db.ts';
import { insertPayment, type NewPayment } from '../queries/payments.ts';

/** Adds an entry of money, and gives its id. Settling is the caller's. */
export async function writeDown(
  tx: Tx,
  tutorId: string,
  entry: Omit<NewPayment, 'id'>,
): Promise<number> {
  const [id] = (await takeIds(tx, tutorId, 'payment')) as [number];
  await insertPayment(tx, tutorId, { ...entry, id });
  return id;
}
