import type { PaymentInput } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { amountOwedReduced } from '../events.ts';
import { findCharges } from '../queries/charges.ts';
import type { PaymentRecord } from '../queries/payments.ts';
import { assertFamilyExists, getPaymentOrThrow } from './assert-family-or-payment-exists.ts';
import { CREATED_BY_TUTOR } from './charges.ts';
import { recordReceipt, recordReversal } from './payment-ledger.ts';

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

export async function assertNotInFuture(
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
