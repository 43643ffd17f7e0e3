import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { allocationsForPayment } from '../queries/allocations.ts';
import { updateFamily } from '../queries/family-accounts.ts';
import {
  insertPayment,
  markPaymentReversed,
  type NewPayment,
  type PaymentRecord,
  recomputeRefunded,
} from '../queries/payments.ts';
import { recomputePayments } from '../queries/recompute-derived-amounts.ts';
import { releaseAmount } from '../rules/allocate.ts';
import { allocatePayments, writeAllocations } from './allocate-payments.ts';

/** Inserts an entry and returns its id. The caller must allocate it. */
export async function addPaymentEntry(
  tx: Tx,
  tutorId: string,
  entry: Omit<NewPayment, 'id'>,
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'payment')) as [number];
  await insertPayment(tx, tutorId, { ...entry, id });
  return id;
}

/* Receipts, refunds and reversals. The caller must validate the request and hold the tutor's lock. */

export type Receipt = Pick<
  NewPayment,
  'familyId' | 'amount' | 'currency' | 'method' | 'paidOn' | 'note' | 'now' | 'createdBy'
>;

/** Pays the given charges first, then the oldest. Any remainder becomes credit. */
export async function recordReceipt(
  tx: Tx,
  tutorId: string,
  receipt: Receipt,
  chargeIds: readonly number[],
): Promise<number> {
  const id = await addPaymentEntry(tx, tutorId, { ...receipt, kind: 'payment' });
  await allocatePayments(tx, tutorId, [receipt], receipt.now, chargeIds);
  // Recording a payment clears the payer's reported transfer.
  await updateFamily(tx, tutorId, receipt.familyId, { transfer_claimed_at: null });
  return id;
}

/** Refunds the unallocated amount first, then releases the latest allocations. */
export async function recordRefund(
  tx: Tx,
  tutorId: string,
  payment: PaymentRecord,
  refund: Pick<NewPayment, 'amount' | 'paidOn' | 'note' | 'now' | 'createdBy'>,
): Promise<number> {
  const { amount, now } = refund;
  const { familyId, currency, method } = payment;
  const id = await addPaymentEntry(tx, tutorId, {
    ...refund,
    familyId,
    kind: 'refund',
    amount: -amount,
    currency,
    method,
    refundsId: payment.id,
  });
  const allocations = await allocationsForPayment(tx, tutorId, payment.id);
  const allocatedPart = Math.max(0, amount - payment.unallocated);
  const releases = releaseAmount(allocations, allocatedPart).map((allocation) => ({
    ...allocation,
    refundId: id,
  }));
  await writeAllocations(tx, tutorId, releases, now);
  await recomputeRefunded(tx, tutorId, payment.id);
  await recomputePayments(tx, tutorId, [payment.id]);
  await allocatePayments(tx, tutorId, [payment], now);
  return id;
}

/** Adds an entry that reverses a payment or refund. */
export async function recordReversal(
  tx: Tx,
  tutorId: string,
  payment: PaymentRecord,
  { now, createdBy }: Pick<NewPayment, 'now' | 'createdBy'>,
): Promise<void> {
  const { id, familyId, currency, method, paidOn, refundsId } = payment;
  await addPaymentEntry(tx, tutorId, {
    familyId,
    kind: 'reversal',
    amount: -payment.amount,
    currency,
    method,
    paidOn,
    reversesId: id,
    now,
    createdBy,
  });
  await markPaymentReversed(tx, tutorId, id);
  if (refundsId === null) await releaseAllocations(tx, tutorId, id, now);
  else {
    await recomputeRefunded(tx, tutorId, refundsId);
    await recomputePayments(tx, tutorId, [refundsId]);
  }
  await allocatePayments(tx, tutorId, [payment], now);
}

async function releaseAllocations(
  tx: Tx,
  tutorId: string,
  paymentId: number,
  now: Date,
): Promise<void> {
  const allocations = await allocationsForPayment(tx, tutorId, paymentId);
  const total = allocations.reduce((sum, allocation) => sum + allocation.amount, 0);
  await writeAllocations(tx, tutorId, releaseAmount(allocations, total), now);
}
