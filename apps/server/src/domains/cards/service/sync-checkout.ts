import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CardReversal, CheckoutDetails } from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import {
  findRefundRequestByPublicId,
  recordCardPayment,
  recordCardRefund,
  reverseCardRefund,
  setRefundRequestState,
} from '../../payments/service/card-ledger.ts';
import { cardPaymentReceived, cardReversalChanged } from '../events.ts';
import {
  type Checkout,
  findCheckout,
  findReversals,
  saveReversal,
  updateCheckout,
} from '../queries/checkouts.ts';
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

interface CheckoutTx {
  context: Context;
  tx: Tx;
  tutorId: string;
  timeZone: string;
  now: Date;
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
    await updateCheckout(tx, tutorId, checkout.id, change);
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

async function applyReversals(
  checkoutTx: CheckoutTx,
  checkout: Checkout & { paymentId: number },
  reversals: readonly CardReversal[],
): Promise<boolean> {
  const { tx, tutorId } = checkoutTx;
  const known = await findReversals(tx, tutorId, checkout.id);
  let written = false;
  // Process failed refunds and won disputes first: they restore money that another reversal may need.
  for (const reversal of reversals.toSorted((a, b) => Number(a.isActive) - Number(b.isActive))) {
    const entryId = known.get(reversal.id);
    if (reversal.isActive === (typeof entryId === 'number')) continue;
    if (entryId === null && !reversal.isActive) continue;
    const reversalPaymentId = reversal.isActive
      ? await recordReversal(checkoutTx, checkout, reversal)
      : await undoReversal(checkoutTx, checkout, reversal, entryId ?? null);
    await saveReversal(tx, tutorId, {
      vendorId: reversal.id,
      checkoutId: checkout.id,
      kind: reversal.kind,
      paymentId: reversalPaymentId,
    });
    written = true;
  }
  return written;
}

const REVERSAL_NOTES = { refund: null, dispute: 'Taken back by the bank of the card' } as const;

async function recordReversal(
  checkoutTx: CheckoutTx,
  checkout: Checkout & { paymentId: number },
  reversal: CardReversal,
): Promise<number | null> {
  const { context, tx, tutorId, now } = checkoutTx;
  const request = reversal.requestId
    ? await findRefundRequestByPublicId(tx, tutorId, reversal.requestId)
    : undefined;
  const { entryId, amount } = await recordCardRefund(tx, tutorId, checkout.paymentId, {
    amount: reversal.amount,
    paidOn: dateInZone(checkoutTx.timeZone, reversal.at),
    note: request?.note ?? REVERSAL_NOTES[reversal.kind],
    now,
  });
  if (request) await setRefundRequestState(tx, tutorId, request.id, 'done');
  if (amount !== reversal.amount) {
    context.log.warn(
      { reversal: reversal.id },
      'card reversal exceeds the remaining amount of its payment',
    );
  }
  if (reversal.kind === 'dispute')
    await publishReversalChange(checkoutTx, checkout, reversal, 'disputed');
  return entryId;
}

async function undoReversal(
  checkoutTx: CheckoutTx,
  checkout: Checkout & { paymentId: number },
  reversal: CardReversal,
  entryId: number | null,
): Promise<null> {
  const { tx, tutorId, now } = checkoutTx;
  if (entryId !== null) await reverseCardRefund(tx, tutorId, entryId, now);
  const request = reversal.requestId
    ? await findRefundRequestByPublicId(tx, tutorId, reversal.requestId)
    : undefined;
  if (request) await setRefundRequestState(tx, tutorId, request.id, 'failed');
  if (reversal.kind === 'refund')
    await publishReversalChange(checkoutTx, checkout, reversal, 'refund failed');
  else if (entryId !== null)
    await publishReversalChange(checkoutTx, checkout, reversal, 'dispute won');
  return null;
}

async function publishReversalChange(
  { context, tx, tutorId }: CheckoutTx,
  { paymentId, currency }: Checkout & { paymentId: number },
  { id, amount }: CardReversal,
  change: 'disputed' | 'dispute won' | 'refund failed',
): Promise<void> {
  await context.events.publish(tx, cardReversalChanged, {
    tutorId,
    change,
    paymentId,
    amount,
    currency,
    dedupeKey: `${change} ${id}`,
  });
}
