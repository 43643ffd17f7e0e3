import type { PaymentInput, RefundInput } from '@lessonbook/contract/payments';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { allocationsOfPayment, renewPayments } from '../queries/allocations.ts';
import { findCharges } from '../queries/charges.ts';
import { updateFamily } from '../queries/families.ts';
import {
  findPayment,
  markReversed,
  type PaymentRecord,
  renewRefunded,
} from '../queries/payments.ts';
import { release } from '../rules/allocate.ts';
import { mustBeFamily } from './families.ts';
import { noSuchPayment } from './read-payments.ts';
import { moveMoney, settle } from './settle.ts';
import { writeDown } from './write-down.ts';

/** Money goes to the charges it names, then to the oldest due; the rest is credit. */
export async function recordPayment(
  context: Context,
  tutorId: string,
  input: PaymentInput,
  repeat: Repeatable | null,
): Promise<number> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const { familyId, amount, currency } = input;
      await mustBeFamily(tx, tutorId, familyId);
      await mustHaveHappened(context, tx, tutorId, input.date);
      await mustBeOfAccount(tx, tutorId, input);
      const id = await writeDown(tx, tutorId, {
        familyId,
        kind: 'payment',
        amount,
        currency,
        method: input.method,
        paidOn: input.date,
        note: input.note || null,
        now,
      });
      await settle(tx, tutorId, { familyId, currency }, now, input.chargeIds);
      // The money that the payer announced is here, or at least this tutor has looked.
      await updateFamily(tx, tutorId, familyId, { claimed_at: null });
      return id;
    }),
  );
}

/** Money that is still to come has not been received, nor given back. */
async function mustHaveHappened(
  context: Context,
  tx: Tx,
  tutorId: string,
  date: string,
): Promise<void> {
  if (date <= dateIn(await timeZoneOf(tx, tutorId), context.clock.now())) return;
  const message = 'The date must not be in the future';
  throw new AppError('invalid', message, { fields: { date: message } });
}

async function mustBeOfAccount(tx: Tx, tutorId: string, input: PaymentInput): Promise<void> {
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

/** Money given back: first what nothing has used, then what was used last. */
export async function refundPayment(
  context: Context,
  tutorId: string,
  paymentId: number,
  input: RefundInput,
  repeat: Repeatable | null,
): Promise<number> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const payment = await paymentInBook(tx, tutorId, paymentId);
      if (payment.kind !== 'payment' || payment.reversed) {
        throw new AppError('conflict', 'Only a payment that stands can be refunded.');
      }
      if (input.amount > payment.amount - payment.refunded) {
        const message = 'That is more than is left of this payment';
        throw new AppError('invalid', message, { fields: { amount: message } });
      }
      await mustHaveHappened(context, tx, tutorId, input.date);
      const { familyId, currency, method } = payment;
      const id = await writeDown(tx, tutorId, {
        familyId,
        kind: 'refund',
        amount: -input.amount,
        currency,
        method,
        paidOn: input.date,
        note: input.note || null,
        refundsId: paymentId,
        now,
      });
      const used = await allocationsOfPayment(tx, tutorId, paymentId);
      const fromUsed = Math.max(0, input.amount - payment.unallocated);
      const moves = release(used, fromUsed).map((move) => ({ ...move, refundId: id }));
      await moveMoney(tx, tutorId, moves, now);
      await renewRefunded(tx, tutorId, paymentId);
      await renewPayments(tx, tutorId, [paymentId]);
      await settle(tx, tutorId, payment, now);
      return paymentId;
    }),
  );
}

/** A mistake is taken back by an entry of its own: a payment that never came, or a refund that was never made. */
export async function reversePayment(
  context: Context,
  tutorId: string,
  paymentId: number,
  repeat: Repeatable | null,
): Promise<number> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const payment = await paymentInBook(tx, tutorId, paymentId);
      mustBeReversible(payment);
      const { familyId, currency, method, paidOn } = payment;
      const amount = -payment.amount;
      await writeDown(tx, tutorId, {
        familyId,
        kind: 'reversal',
        amount,
        currency,
        method,
        paidOn,
        reversesId: paymentId,
        now,
      });
      await markReversed(tx, tutorId, paymentId);
      if (payment.refundsId === null) await releaseAll(tx, tutorId, paymentId, now);
      else {
        await renewRefunded(tx, tutorId, payment.refundsId);
        await renewPayments(tx, tutorId, [payment.refundsId]);
      }
      await settle(tx, tutorId, payment, now);
      return payment.refundsId ?? paymentId;
    }),
  );
}

async function releaseAll(tx: Tx, tutorId: string, paymentId: number, now: Date): Promise<void> {
  const used = await allocationsOfPayment(tx, tutorId, paymentId);
  const all = used.reduce((sum, allocation) => sum + allocation.amount, 0);
  await moveMoney(tx, tutorId, release(used, all), now);
}

function mustBeReversible(payment: PaymentRecord): void {
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

async function paymentInBook(tx: Tx, tutorId: string, id: number): Promise<PaymentRecord> {
  const payment = await findPayment(tx, tutorId, id);
  if (!payment) throw noSuchPayment();
  return payment;
}
