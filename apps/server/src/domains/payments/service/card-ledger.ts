import type { Tx } from '../../../platform/db/database.ts';
import { findPayment } from '../queries/payments.ts';
import { recordReceipt, recordRefund, recordReversal } from './payment-ledger.ts';

export {
  findRefundRequest,
  findRefundRequestByPublicId,
  pendingRefundRequestIds,
  type RefundRequest,
  setRefundRequestState,
  setRefundRequestVendorId,
} from '../queries/refund-requests.ts';

export { hasReopenedCharges } from '../queries/returned-payments-and-charges-on-hold.ts';

/** Value of created_by for entries reported by the card provider. */
const CREATED_BY_CARD_PROVIDER = 'card provider';

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
  receipt: CardReceipt,
  chargeIds: readonly number[],
): Promise<number> =>
  recordReceipt(
    tx,
    tutorId,
    { ...receipt, method: 'card', note: null, createdBy: CREATED_BY_CARD_PROVIDER },
    chargeIds,
  );

/** Limits the refund to the unrefunded amount, since a bank may reclaim more. Returns the recorded amount. */
export async function recordCardRefund(
  tx: Tx,
  tutorId: string,
  paymentId: number,
  refund: { amount: number; paidOn: string; note: string | null; now: Date },
): Promise<{ entryId: number | null; amount: number }> {
  const payment = await findPayment(tx, tutorId, paymentId);
  const amount = payment ? Math.min(refund.amount, payment.amount - payment.refunded) : 0;
  if (!payment || amount === 0) return { entryId: null, amount: 0 };
  const entryId = await recordRefund(tx, tutorId, payment, {
    ...refund,
    amount,
    createdBy: CREATED_BY_CARD_PROVIDER,
  });
  return { entryId, amount };
}

export async function getFamilyAndCurrencyOfPayment(
  tx: Tx,
  tutorId: string,
  paymentId: number,
): Promise<{ familyId: number; currency: string }> {
  const payment = await findPayment(tx, tutorId, paymentId);
  if (!payment) throw new Error('Payment not found');
  return payment;
}

/** For a refund that failed after it was recorded. */
export async function reverseCardRefund(
  tx: Tx,
  tutorId: string,
  entryId: number,
  now: Date,
): Promise<void> {
  const entry = await findPayment(tx, tutorId, entryId);
  if (entry && !entry.reversed)
    await recordReversal(tx, tutorId, entry, { now, createdBy: CREATED_BY_CARD_PROVIDER });
}
