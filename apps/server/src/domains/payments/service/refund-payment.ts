import type { RefundInput } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { refundRequested } from '../events.ts';
import { insertRefundRequest, pendingRefundTotal } from '../queries/refund-requests.ts';
import { getPaymentOrThrow } from './assert-family-or-payment-exists.ts';
import { CREATED_BY_TUTOR } from './charges.ts';
import { recordRefund } from './payment-ledger.ts';
import { assertNotInFuture } from './record-and-reverse-payments.ts';

/** For a card payment, only requests the refund. It is added to the ledger once the card provider completes it. */
export async function refundPayment(
  context: Context,
  tutorId: string,
  paymentId: number,
  input: RefundInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const payment = await getPaymentOrThrow(tx, tutorId, paymentId);
      if (payment.kind !== 'payment' || payment.reversed) {
        throw new AppError(
          'conflict',
          payment.kind === 'payment'
            ? "This payment has been reversed, so it can't be refunded."
            : 'Only a payment can be refunded.',
        );
      }
      const pending = await pendingRefundTotal(tx, tutorId, paymentId).executeTakeFirstOrThrow();
      if (input.amount > payment.amount - payment.refunded - pending.amount) {
        const message = "That's more than is left of this payment";
        throw new AppError('invalid', message, { fields: { amount: message } });
      }
      const note = input.note || null;
      const metadata = { amount: input.amount, currency: payment.currency };
      await recordAudit(tx, tutorId, { action: 'payment_refunded', at: now, metadata });
      if (payment.method === 'card') {
        await requestCardRefund(context, tx, tutorId, {
          paymentId,
          amount: input.amount,
          note,
          now,
        });
        return paymentId;
      }
      await assertNotInFuture(context, tx, tutorId, input.date);
      const { amount, date: paidOn } = input;
      await recordRefund(tx, tutorId, payment, {
        amount,
        paidOn,
        note,
        now,
        createdBy: CREATED_BY_TUTOR,
      });
      return paymentId;
    }),
  );
}

async function requestCardRefund(
  context: Context,
  tx: Tx,
  tutorId: string,
  request: { paymentId: number; amount: number; note: string | null; now: Date },
): Promise<void> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'refund_request')) as [number];
  await insertRefundRequest(tx, tutorId, { ...request, id });
  await context.events.publish(tx, refundRequested, { tutorId, requestId: id });
}
