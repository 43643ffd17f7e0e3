import type { Tx } from '../../../platform/db.ts';
import { allocationsOfPayment, renewPayments } from '../queries/allocations.ts';
import { updateFamily } from '../queries/families.ts';
import {
  markReversed,
  type NewPayment,
  type PaymentRecord,
  renewRefunded,
} from '../queries/payments.ts';
import { release } from '../rules/allocate.ts';
import { moveMoney, settle } from './settle.ts';
import { writeDown } from './write-down.ts';

/* Money in, money back, and mistakes taken back. Whoever calls has checked that it may be, and holds the tutor's lock. */

export type Receipt = Pick<
  NewPayment,
  'familyId' | 'amount' | 'currency' | 'method' | 'paidOn' | 'note' | 'now' | 'author'
>;

/** Money goes to the charges it names, then to the oldest due; the rest is credit. */
export async function receive(
  tx: Tx,
  tutorId: string,
  receipt: Receipt,
  chargeIds: readonly number[],
): Promise<number> {
  const id = await writeDown(tx, tutorId, { ...receipt, kind: 'payment' });
  await settle(tx, tutorId, receipt, receipt.now, chargeIds);
  // The money that the payer announced is here, or at least somebody has looked.
  await updateFamily(tx, tutorId, receipt.familyId, { transfer_claimed_at: null });
  return id;
}

/** Money given back: first what nothing has used, then what was used last. */
export async function giveBack(
  tx: Tx,
  tutorId: string,
  payment: PaymentRecord,
  refund: Pick<NewPayment, 'amount' | 'paidOn' | 'note' | 'now' | 'author'>,
): Promise<number> {
  const { amount, now } = refund;
  const { familyId, currency, method } = payment;
  const id = await writeDown(tx, tutorId, {
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
  await moveMoney(tx, tutorId, moves, now);
  await renewRefunded(tx, tutorId, payment.id);
  await renewPayments(tx, tutorId, [payment.id]);
  await settle(tx, tutorId, payment, now);
  return id;
}

/** A mistake is taken back by an entry of its own: a payment that never came, or a refund that was never made. */
export async function takeBack(
  tx: Tx,
  tutorId: string,
  payment: PaymentRecord,
  { now, author }: Pick<NewPayment, 'now' | 'author'>,
): Promise<void> {
  const { id, familyId, currency, method, paidOn, refundsId } = payment;
  await writeDown(tx, tutorId, {
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
  if (refundsId === null) await releaseAll(tx, tutorId, id, now);
  else {
    await renewRefunded(tx, tutorId, refundsId);
    await renewPayments(tx, tutorId, [refundsId]);
  }
  await settle(tx, tutorId, payment, now);
}

async function releaseAll(tx: Tx, tutorId: string, paymentId: number, now: Date): Promise<void> {
  const used = await allocationsOfPayment(tx, tutorId, paymentId);
  const all = used.reduce((sum, allocation) => sum + allocation.amount, 0);
  await moveMoney(tx, tutorId, release(used, all), now);
}
