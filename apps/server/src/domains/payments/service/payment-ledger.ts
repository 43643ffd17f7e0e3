import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { allocationsOfPayment, recomputePayments } from '../queries/allocations.ts';
import { updateFamily } from '../queries/families.ts';
import {
  insertPayment,
  markReversed,
  type NewPayment,
  type PaymentRecord,
  recomputeRefunded,
} from '../queries/payments.ts';
import { release } from '../rules/allocate.ts';
import { allocatePayments, writeAllocations } from './allocate-payments.ts';

/** Adds an entry of money, and gives its id. Settling is the caller's. */
export async function addPaymentEntry(
  tx: Tx,
  tutorId: string,
  entry: Omit<NewPayment, 'id'>,
): Promise<number> {
  const [id] = (await nextIds(tx, tutorId, 'payment')) as [number];
  await insertPayment(tx, tutorId, { ...entry, id });
  return id;
}

/* Money in, money back, and mistakes taken back. Whoever calls has checked that it may be, and holds the tutor's lock. */

export type Receipt = Pick<
  NewPayment,
  'familyId' | 'amount' | 'currency' | 'method' | 'paidOn' | 'note' | 'now' | 'author'
>;

/** Money goes to the charges it names, then to the oldest due; the rest is credit. */
export async function recordReceipt(
  tx: Tx,
  tutorId: string,
  receipt: Receipt,
  chargeIds: readonly number[],
): Promise<number> {
  const id = await addPaymentEntry(tx, tutorId, { ...receipt, kind: 'payment' });
  await allocatePayments(tx, tutorId, receipt, receipt.now, chargeIds);
  // The money that the payer announced is here, or at least somebody has looked.
  await updateFamily(tx, tutorId, receipt.familyId, { transfer_claimed_at: null });
  return id;
}

/** Money given back: first what nothing has used, then what was used last. */
export async function recordRefund(
  tx: Tx,
  tutorId: string,
  payment: PaymentRecord,
  refund: Pick<NewPayment, 'amount' | 'paidOn' | 'note' | 'now' | 'author'>,
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
  const used = await allocationsOfPayment(tx, tutorId, payment.id);
  const fromUsed = Math.max(0, amount - payment.unallocated);
  const moves = release(used, fromUsed).map((move) => ({ ...move, refundId: id }));
  await writeAllocations(tx, tutorId, moves, now);
  await recomputeRefunded(tx, tutorId, payment.id);
  await recomputePayments(tx, tutorId, [payment.id]);
  await allocatePayments(tx, tutorId, payment, now);
  return id;
}

/** A mistake is taken back by an entry of its own: a payment that never came, or a refund that was never made. */
export async function recordReversal(
  tx: Tx,
  tutorId: string,
  payment: PaymentRecord,
  { now, author }: Pick<NewPayment, 'now' | 'author'>,
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
    author,
  });
  await markReversed(tx, tutorId, id);
  if (refundsId === null) await releaseAllocations(tx, tutorId, id, now);
  else {
    await recomputeRefunded(tx, tutorId, refundsId);
    await recomputePayments(tx, tutorId, [refundsId]);
  }
  await allocatePayments(tx, tutorId, payment, now);
}

async function releaseAllocations(
  tx: Tx,
  tutorId: string,
  paymentId: number,
  now: Date,
): Promise<void> {
  const used = await allocationsOfPayment(tx, tutorId, paymentId);
  const all = used.reduce((sum, allocation) => sum + allocation.amount, 0);
  await writeAllocations(tx, tutorId, release(used, all), now);
}
