import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CardReversal, CheckoutDetails } from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/profile.ts';
import {
  closeRefundRequest,
  getRefundRequestByPublicId,
  recordCardPayment,
  recordCardRefund,
  reverseCardRefund,
} from '../../payments/service/card-ledger.ts';
import { cardPaymentReceived, cardReversalChanged } from '../events.ts';
import {
  type Checkout,
  findCheckout,
  reversalsOf,
  saveReversal,
  updateCheckout,
} from '../queries/checkouts.ts';
import { getProvider } from './provider-errors.ts';

/**
 * Reads a checkout from the provider and makes the book say the same: whatever was told before, in whatever order, however
 * often. Gives whether anything had to be written. A checkout that is not one of ours is left alone.
 */
export async function syncCheckout(
  context: Context,
  tutorId: string,
  accountId: string,
  sessionId: string,
): Promise<boolean> {
  const facts = await getProvider(context).getCheckout(accountId, sessionId);
  if (facts === null) return false;
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const checkout = await findCheckout(tx, tutorId, facts.sessionId, facts.publicId);
    if (checkout?.accountId !== accountId) return false;
    const timeZone = await getTimeZone(tx, tutorId);
    const checkoutTx: CheckoutTx = { context, tx, tutorId, timeZone, now: context.clock.now() };
    const paid = await applyPaymentState(checkoutTx, checkout, facts);
    if (paid.paymentId === null) return paid.written;
    const returned = await applyReversals(
      checkoutTx,
      { ...checkout, paymentId: paid.paymentId },
      facts,
    );
    return paid.written || returned;
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
  facts: CheckoutDetails,
): Promise<{ paymentId: number | null; written: boolean }> {
  const { context, tx, tutorId, now } = checkoutTx;
  // What is paid stays paid; giving it back is another matter.
  if (checkout.paymentId !== null) return { paymentId: checkout.paymentId, written: false };
  const { sessionId, state, paymentIntent, amount, currency } = facts;
  const change = { stripe_session_id: sessionId, payment_intent: paymentIntent, state };
  if (state !== 'paid') {
    await updateCheckout(tx, tutorId, checkout.id, change);
    return { paymentId: null, written: state !== checkout.state };
  }
  if (amount !== checkout.amount || currency !== checkout.currency) {
    throw new Error(`Checkout ${checkout.publicId} was paid with another amount than asked for`);
  }
  const { familyId, chargeIds } = checkout;
  const paidOn = dateInZone(checkoutTx.timeZone, facts.paidAt ?? now);
  const money = { familyId, amount, currency, paidOn, now };
  const paymentId = await recordCardPayment(tx, tutorId, money, chargeIds);
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
  facts: CheckoutDetails,
): Promise<boolean> {
  const { tx, tutorId } = checkoutTx;
  const known = await reversalsOf(tx, tutorId, checkout.id);
  let written = false;
  // What was undone first, so that its money can go back another way.
  for (const each of facts.reversals.toSorted((a, b) => Number(a.isActive) - Number(b.isActive))) {
    const entryId = known.get(each.id);
    if (each.isActive === (typeof entryId === 'number')) continue;
    if (entryId === null && !each.isActive) continue;
    const now = each.isActive
      ? await recordReversal(checkoutTx, checkout, each)
      : await undoReversal(checkoutTx, checkout, each, entryId ?? null);
    await saveReversal(tx, tutorId, {
      vendorId: each.id,
      checkoutId: checkout.id,
      kind: each.kind,
      paymentId: now,
    });
    written = true;
  }
  return written;
}

const REVERSAL_NOTES = { refund: null, dispute: 'Taken back by the bank of the card' } as const;

async function recordReversal(
  checkoutTx: CheckoutTx,
  checkout: Checkout & { paymentId: number },
  each: CardReversal,
): Promise<number | null> {
  const { context, tx, tutorId, now } = checkoutTx;
  const request = each.requestId
    ? await getRefundRequestByPublicId(tx, tutorId, each.requestId)
    : undefined;
  const { entryId, amount } = await recordCardRefund(tx, tutorId, checkout.paymentId, {
    amount: each.amount,
    paidOn: dateInZone(checkoutTx.timeZone, each.at),
    note: request?.note ?? REVERSAL_NOTES[each.kind],
    now,
  });
  if (request) await closeRefundRequest(tx, tutorId, request.id, 'done');
  if (amount !== each.amount) {
    context.log.warn({ return: each.id }, 'more went back than was left of a card payment');
  }
  if (each.kind === 'dispute') await publishReversalChange(checkoutTx, checkout, each, 'disputed');
  return entryId;
}

async function undoReversal(
  checkoutTx: CheckoutTx,
  checkout: Checkout & { paymentId: number },
  each: CardReversal,
  entryId: number | null,
): Promise<null> {
  const { tx, tutorId, now } = checkoutTx;
  if (entryId !== null) await reverseCardRefund(tx, tutorId, entryId, now);
  const request = each.requestId
    ? await getRefundRequestByPublicId(tx, tutorId, each.requestId)
    : undefined;
  if (request) await closeRefundRequest(tx, tutorId, request.id, 'failed');
  if (each.kind === 'refund')
    await publishReversalChange(checkoutTx, checkout, each, 'refund failed');
  else if (entryId !== null) await publishReversalChange(checkoutTx, checkout, each, 'dispute won');
  return null;
}

async function publishReversalChange(
  { context, tx, tutorId }: CheckoutTx,
  { paymentId, currency }: Checkout & { paymentId: number },
  { id, amount }: CardReversal,
  what: 'disputed' | 'dispute won' | 'refund failed',
): Promise<void> {
  await context.events.publish(tx, cardReversalChanged, {
    tutorId,
    what,
    paymentId,
    amount,
    currency,
    occasion: `${what} ${id}`,
  });
}
