import type { Tx } from '../../../platform/db/database.ts';
import { findPayment } from '../queries/payments.ts';
import {
  findRefundRequest,
  findRefundRequestByPublicId,
  type RefundRequest,
  setRefundRequestState,
} from '../queries/refund-requests.ts';
import { recordReceipt, recordRefund, recordReversal } from './payment-ledger.ts';

/* Money that moves by the card provider's word. */

/** Who writes such an entry down. */
const PROVIDER = 'card provider';

export interface CardReceipt {
  familyId: number;
  amount: number;
  currency: string;
  paidOn: string;
  now: Date;
}

export const recordCardPayment = (
  tx: Tx,
  tutorId: string,
  money: CardReceipt,
  chargeIds: readonly number[],
): Promise<number> =>
  recordReceipt(tx, tutorId, { ...money, method: 'card', note: null, author: PROVIDER }, chargeIds);

/** Gives the id of the entry, and how much of it the payment could still give: a bank may take more than is left. */
export async function recordCardRefund(
  tx: Tx,
  tutorId: string,
  paymentId: number,
  refund: { amount: number; paidOn: string; note: string | null; now: Date },
): Promise<{ entryId: number | null; amount: number }> {
  const payment = await findPayment(tx, tutorId, paymentId);
  const amount = payment ? Math.min(refund.amount, payment.amount - payment.refunded) : 0;
  if (!payment || amount === 0) return { entryId: null, amount: 0 };
  const entryId = await recordRefund(tx, tutorId, payment, { ...refund, amount, author: PROVIDER });
  return { entryId, amount };
}

/** The money did not go back after all. */
export async function reverseCardRefund(
  tx: Tx,
  tutorId: string,
  entryId: number,
  now: Date,
): Promise<void> {
  const entry = await findPayment(tx, tutorId, entryId);
  if (entry && !entry.reversed) await recordReversal(tx, tutorId, entry, { now, author: PROVIDER });
}

export const getRefundRequest: (
  tx: Tx,
  tutorId: string,
  id: number,
) => Promise<RefundRequest | undefined> = findRefundRequest;

export const getRefundRequestByPublicId: (
  tx: Tx,
  tutorId: string,
  publicId: string,
) => Promise<RefundRequest | undefined> = findRefundRequestByPublicId;

export const closeRefundRequest: typeof setRefundRequestState = setRefundRequestState;
