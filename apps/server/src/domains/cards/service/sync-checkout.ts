import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CardReversal, CheckoutDetails } from '../../../integrations/card-provider.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { recordCardPayment } from '../../payments/service/card-ledger.ts';
import { bankDebitFailed, cardPaymentReceived } from '../events.ts';
import { type Checkout, findCheckout, updateCheckout } from '../queries/checkouts.ts';
import { applyReversals, type CheckoutTx } from './apply-refunds-and-disputes.ts';
import { getProvider } from './provider-errors.ts';

/**
 * Reads a checkout from the provider and applies its current state to the ledger, so repeated, late or out-of-order
 * events are harmless. Returns whether anything was written. Ignores checkouts that we did not create.
 */
export async function syncCheckout(
  context: Context,
  tutorId: string,
  accountId: string,
  stripeSessionId: string,
): Promise<boolean> {
  const details = await getProvider(context).getCheckout(accountId, stripeSessionId);
  if (details === null) return false;
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const checkout = await findCheckout(tx, tutorId, details.sessionId, details.publicId);
    if (checkout?.accountId !== accountId) return false;
    const timeZone = await getTimeZone(tx, tutorId);
    const checkoutTx: CheckoutTx = { context, tx, tutorId, timeZone, now: context.clock.now() };
    const payment = await applyPaymentState(checkoutTx, checkout, details);
    if (payment.paymentId === null) return payment.written;
    const reversalsWritten = await applyReversals(
      checkoutTx,
      { ...checkout, paymentId: payment.paymentId },
      details.reversals,
    );
    return payment.written || reversalsWritten;
  });
}

/** Records a refund of a recorded payment without reading its checkout. A later sync finds that it is already recorded. */
export async function recordConfirmedRefund(
  context: Context,
  tutorId: string,
  stripeSessionId: string,
  refund: CardReversal,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const checkout = await findCheckout(tx, tutorId, stripeSessionId, null);
    if (!checkout || checkout.paymentId === null) return;
    const timeZone = await getTimeZone(tx, tutorId);
    const checkoutTx: CheckoutTx = { context, tx, tutorId, timeZone, now: context.clock.now() };
    await applyReversals(checkoutTx, { ...checkout, paymentId: checkout.paymentId }, [refund]);
  });
}

async function applyPaymentState(
  checkoutTx: CheckoutTx,
  checkout: Checkout,
  details: CheckoutDetails,
): Promise<{ paymentId: number | null; written: boolean }> {
  const { context, tx, tutorId, now } = checkoutTx;
  // A recorded payment never changes; refunds and disputes are recorded as reversals.
  if (checkout.paymentId !== null) return { paymentId: checkout.paymentId, written: false };
  const { sessionId, state, paymentIntent, amount, currency } = details;
  const change = { stripe_session_id: sessionId, payment_intent: paymentIntent, state };
  if (state !== 'paid') {
    const hasFailed = state === 'failed' && checkout.state !== 'failed';
    await updateCheckout(tx, tutorId, checkout.id, {
      ...change,
      ...(hasFailed ? { failed_at: now } : {}),
    });
    if (hasFailed) await publishFailedPayment(checkoutTx, checkout);
    return { paymentId: null, written: state !== checkout.state };
  }
  if (amount !== checkout.amount || currency !== checkout.currency) {
    throw new Error(`Checkout ${checkout.publicId} was paid with a different amount or currency`);
  }
  const { familyId, chargeIds } = checkout;
  const paidOn = dateInZone(checkoutTx.timeZone, details.paidAt ?? now);
  const payment = { familyId, amount, currency, paidOn, now };
  const paymentId = await recordCardPayment(tx, tutorId, payment, chargeIds);
  await updateCheckout(tx, tutorId, checkout.id, { ...change, payment_id: paymentId });
  await context.events.publish(tx, cardPaymentReceived, {
    tutorId,
    familyId,
    paymentId,
    amount,
    currency,
  });
  return { paymentId, written: true };
}

async function publishFailedPayment(
  { context, tx, tutorId }: CheckoutTx,
  { id, familyId, amount, currency }: Checkout,
): Promise<void> {
  const failed = { tutorId, familyId, checkoutId: id, amount, currency };
  await context.events.publish(tx, bankDebitFailed, failed);
}
