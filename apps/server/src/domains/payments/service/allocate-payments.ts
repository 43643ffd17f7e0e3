import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import {
  type AllocationEntry,
  insertAllocations,
  recomputeCharges,
  recomputePayments,
} from '../queries/allocations.ts';
import { openCharges } from '../queries/charges.ts';
import { paymentsWithCredit } from '../queries/payments.ts';
import { allocate, prioritizeCharges } from '../rules/allocate.ts';

/** The account that money moves in: never across families, never across currencies. */
export interface Account {
  familyId: number;
  currency: string;
}

/** Writes down which money went where, and renews what is derived from it. */
export async function writeAllocations(
  tx: Tx,
  tutorId: string,
  moves: readonly AllocationEntry[],
  now: Date,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = await nextIds(tx, tutorId, 'allocation', moves.length);
  await insertAllocations(tx, tutorId, ids, moves, now);
  await recomputeCharges(tx, tutorId, [...new Set(moves.map((move) => move.chargeId))]);
  await recomputePayments(tx, tutorId, [...new Set(moves.map((move) => move.paymentId))]);
}

/**
 * Ends every change of an account: money that is free pays what is open, so no family is ever both in credit and in
 * debt. The tutor's lock is held, so nobody else moves the same money.
 */
export async function allocatePayments(
  tx: Tx,
  tutorId: string,
  { familyId, currency }: Account,
  now: Date,
  named: readonly number[] = [],
): Promise<void> {
  const money = await paymentsWithCredit(tx, tutorId, familyId, currency);
  if (money.length === 0) return;
  const open = await openCharges(tx, tutorId, familyId, currency);
  await writeAllocations(tx, tutorId, allocate(money, prioritizeCharges(open, named)), now);
}
