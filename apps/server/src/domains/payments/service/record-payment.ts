import type { PaymentInput, RefundInput } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/profile.ts';
import { refundRequested } from '../events.ts';
import { findCharges } from '../queries/charges.ts';
import { findPayment, type PaymentRecord } from '../queries/payments.ts';
import { insertRefundRequest, pendingRefunds } from '../queries/refund-requests.ts';
import { TUTOR } from './charges.ts';
import { assertFamilyExists } from './families.ts';
import { recordReceipt, recordRefund, recordReversal } from './payment-ledger.ts';
import { paymentNotFound } from './read-payments.ts';

/** Money goes to the charges it names, then to the oldest due; the rest is credit. */
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
      await assertChargesOfFamily(tx, tutorId, input);
      const receipt = {
        familyId,
        amount,
        currency,
        method: input.method,
        paidOn: input.date,
        note: input.note || null,
        now,
        author: TUTOR,
      };
      return recordReceipt(tx, tutorId, receipt, input.chargeIds);
    }),
  );
}

/** Money that is still to come has not been received, nor given back. */
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

async function assertChargesOfFamily(tx: Tx, tutorId: string, input: PaymentInput): Promise<void> {
  const named = await findCharges(tx, tutorId, input.chargeIds);
  const astray = named.some((charge) => charge.familyId !== input.familyId);
  if (astray || named.length !== new Set(input.chargeIds).size) {
    throw new AppError('not_found', 'That charge is not on this account.');
  }
  if (named.some((charge) => charge.currency !== input.currency)) {
    throw new AppError('invalid', 'Please choose the currency of the lessons', {
      fields: { currency: 'Please choose the currency of the lessons' },
    });
  }
}

/** Money given back. What came by card goes back by card: it is asked for here, and stands in the book once it is done. */
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
        throw new AppError('conflict', 'Only a payment that stands can be refunded.');
      }
      const waiting = await pendingRefunds(tx, tutorId, paymentId).executeTakeFirstOrThrow();
      if (input.amount > payment.amount - payment.refunded - waiting.amount) {
        const message = 'That is more than is left of this payment';
        throw new AppError('invalid', message, { fields: { amount: message } });
      }
      const note = input.note || null;
      const facts = { amount: input.amount, currency: payment.currency };
      await recordAudit(tx, tutorId, { act: 'payment_refunded', at: now, facts });
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
      await recordRefund(tx, tutorId, payment, { amount, paidOn, note, now, author: TUTOR });
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
  const [id] = (await nextIds(tx, tutorId, 'refund_request')) as [number];
  await insertRefundRequest(tx, tutorId, { ...request, id });
  await context.events.publish(tx, refundRequested, { tutorId, requestId: id });
}

/** Of what the tutor wrote down by hand. */
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
      const facts = { amount: payment.amount, currency: payment.currency };
      await recordAudit(tx, tutorId, { act: 'payment_reversed', at: now, facts });
      await recordReversal(tx, tutorId, payment, { now, author: TUTOR });
      return payment.refundsId ?? paymentId;
    }),
  );
}

function assertReversible(payment: PaymentRecord): void {
  if (payment.kind === 'reversal' || payment.reversed) {
    throw new AppError('conflict', 'This payment was already taken back.');
  }
  if (payment.method === 'card') {
    throw new AppError('conflict', 'A card payment cannot be taken back. Refund it instead.');
  }
  if (payment.refunded > 0) {
    throw new AppError(
      'conflict',
      'Part of this payment was refunded. Take the refund back first.',
    );
  }
}

async function getPaymentOrThrow(tx: Tx, tutorId: string, id: number): Promise<PaymentRecord> {
  const payment = await findPayment(tx, tutorId, id);
  if (!payment) throw paymentNotFound();
  return payment;
}
