import type { PaymentInput, RefundInput } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { amountOwedReduced, refundRequested } from '../events.ts';
import { findCharges } from '../queries/charges.ts';
import type { PaymentRecord } from '../queries/payments.ts';
import { insertRefundRequest, pendingRefundTotal } from '../queries/refund-requests.ts';
import { assertFamilyExists, getPaymentOrThrow } from './assert-family-or-payment-exists.ts';
import { CREATED_BY_TUTOR } from './charges.ts';
import { recordReceipt, recordRefund, recordReversal } from './payment-ledger.ts';

/** Pays the given charges first, then the oldest. Any remainder becomes credit. */
export async function recordPayment(
  context: Context,
  tutorId: string,
  input: PaymentInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const { familyId, amount, currency } = input;
      await assertFamilyExists(tx, tutorId, familyId);
      await assertNotInFuture(context, tx, tutorId, input.date);
      await assertChargesBelongToFamily(tx, tutorId, input);
      const receipt = {
        familyId,
        amount,
        currency,
        method: input.method,
        paidOn: input.date,
        note: input.note || null,
        now,
        createdBy: CREATED_BY_TUTOR,
      };
      const id = await recordReceipt(tx, tutorId, receipt, input.chargeIds);
      await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds: [familyId] });
      return id;
    }),
  );
}

async function assertNotInFuture(
  context: Context,
  tx: Tx,
  tutorId: string,
  date: string,
): Promise<void> {
  if (date <= dateInZone(await getTimeZone(tx, tutorId), context.clock.now())) return;
  const message = 'The date must not be in the future';
  throw new AppError('invalid', message, { fields: { date: message } });
}

async function assertChargesBelongToFamily(
  tx: Tx,
  tutorId: string,
  input: PaymentInput,
): Promise<void> {
  const charges = await findCharges(tx, tutorId, input.chargeIds);
  const hasOtherFamilyCharge = charges.some((charge) => charge.familyId !== input.familyId);
  if (hasOtherFamilyCharge || charges.length !== new Set(input.chargeIds).size) {
    throw new AppError('not_found', "That charge isn't on this account.");
  }
  if (charges.some((charge) => charge.currency !== input.currency)) {
    throw new AppError('invalid', 'Please choose the currency of the lessons', {
      fields: { currency: 'Please choose the currency of the lessons' },
    });
  }
}

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

/** For payments and refunds that the tutor recorded manually. */
export async function reversePayment(
  context: Context,
  tutorId: string,
  paymentId: number,
  idempotencyKey: IdempotencyKey | null,
): Promise<number> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const payment = await getPaymentOrThrow(tx, tutorId, paymentId);
      assertReversible(payment);
      const metadata = { amount: payment.amount, currency: payment.currency };
      await recordAudit(tx, tutorId, { action: 'payment_reversed', at: now, metadata });
      await recordReversal(tx, tutorId, payment, { now, createdBy: CREATED_BY_TUTOR });
      return payment.refundsId ?? paymentId;
    }),
  );
}

function assertReversible(payment: PaymentRecord): void {
  if (payment.kind === 'reversal' || payment.reversed) {
    throw new AppError('conflict', 'This payment has already been reversed.');
  }
  if (payment.method === 'card') {
    throw new AppError('conflict', "A card payment can't be reversed. Refund it instead.");
  }
  if (payment.refunded > 0) {
    throw new AppError('conflict', 'Part of this payment was refunded. Reverse the refund first.');
  }
}
