import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CardReturn, CheckoutFacts } from '../../../integrations/cards.ts';
import type { Tx } from '../../../platform/db.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import {
  closeRefundRequest,
  receiveByCard,
  refundRequestBy,
  returnByCard,
  undoReturn,
} from '../../payments/service/card-money.ts';
import { cardMoneyMoved, cardPaymentArrived } from '../events.ts';
import {
  type Checkout,
  checkoutBy,
  returnsOf,
  saveReturn,
  updateCheckout,
} from '../queries/checkouts.ts';
import { providerOf } from './provider.ts';

/**
 * Reads a checkout from the provider and makes the book say the same: whatever was told before, in whatever order, however
 * often. Gives whether anything had to be written. A checkout that is not one of ours is left alone.
 */
export async function converge(
  context: Context,
  tutorId: string,
  accountId: string,
  sessionId: string,
): Promise<boolean> {
  const facts = await providerOf(context).checkoutFacts(accountId, sessionId);
  if (facts === null) return false;
  return context.db.withTutor(tutorId, async (tx) => {
    const checkout = await checkoutBy(tx, tutorId, facts.sessionId, facts.publicId);
    if (checkout?.accountId !== accountId) return false;
    const timeZone = await timeZoneOf(tx, tutorId);
    const desk: Desk = { context, tx, tutorId, timeZone, now: context.clock.now() };
    const paid = await settleCheckout(desk, checkout, facts);
    if (paid.paymentId === null) return paid.written;
    const returned = await settleReturns(desk, { ...checkout, paymentId: paid.paymentId }, facts);
    return paid.written || returned;
  });
}

interface Desk {
  context: Context;
  tx: Tx;
  tutorId: string;
  timeZone: string;
  now: Date;
}

async function settleCheckout(
  desk: Desk,
  checkout: Checkout,
  facts: CheckoutFacts,
): Promise<{ paymentId: number | null; written: boolean }> {
  const { context, tx, tutorId, now } = desk;
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
  const paidOn = dateIn(desk.timeZone, facts.paidAt ?? now);
  const money = { familyId, amount, currency, paidOn, now };
  const paymentId = await receiveByCard(tx, tutorId, money, chargeIds);
  await updateCheckout(tx, tutorId, checkout.id, { ...change, payment_id: paymentId });
  await context.events.publish(tx, cardPaymentArrived, {
    tutorId,
    familyId,
    paymentId,
    amount,
    currency,
  });
  return { paymentId, written: true };
}

async function settleReturns(
  desk: Desk,
  checkout: Checkout & { paymentId: number },
  facts: CheckoutFacts,
): Promise<boolean> {
  const { tx, tutorId } = desk;
  const known = await returnsOf(tx, tutorId, checkout.id);
  let written = false;
  // What was undone first, so that its money can go back another way.
  for (const each of facts.returns.toSorted((a, b) => Number(a.stands) - Number(b.stands))) {
    const entryId = known.get(each.id);
    if (each.stands === (typeof entryId === 'number')) continue;
    if (entryId === null && !each.stands) continue;
    const now = each.stands
      ? await writeReturn(desk, checkout, each)
      : await unwriteReturn(desk, checkout, each, entryId ?? null);
    await saveReturn(tx, tutorId, {
      vendorId: each.id,
      checkoutId: checkout.id,
      kind: each.kind,
      paymentId: now,
    });
    written = true;
  }
  return written;
}

const RETURN_NOTES = { refund: null, dispute: 'Taken back by the bank of the card' } as const;

async function writeReturn(
  desk: Desk,
  checkout: Checkout & { paymentId: number },
  each: CardReturn,
): Promise<number | null> {
  const { context, tx, tutorId, now } = desk;
  const request = each.requestId ? await refundRequestBy(tx, tutorId, each.requestId) : undefined;
  const { entryId, amount } = await returnByCard(tx, tutorId, checkout.paymentId, {
    amount: each.amount,
    paidOn: dateIn(desk.timeZone, each.at),
    note: request?.note ?? RETURN_NOTES[each.kind],
    now,
  });
  if (request) await closeRefundRequest(tx, tutorId, request.id, 'done');
  if (amount !== each.amount) {
    context.log.warn({ return: each.id }, 'more went back than was left of a card payment');
  }
  if (each.kind === 'dispute') await tell(desk, checkout, each, 'disputed');
  return entryId;
}

async function unwriteReturn(
  desk: Desk,
  checkout: Checkout & { paymentId: number },
  each: CardReturn,
  entryId: number | null,
): Promise<null> {
  const { tx, tutorId, now } = desk;
  if (entryId !== null) await undoReturn(tx, tutorId, entryId, now);
  const request = each.requestId ? await refundRequestBy(tx, tutorId, each.requestId) : undefined;
  if (request) await closeRefundRequest(tx, tutorId, request.id, 'failed');
  if (each.kind === 'refund') await tell(desk, checkout, each, 'refund failed');
  else if (entryId !== null) await tell(desk, checkout, each, 'dispute won');
  return null;
}

async function tell(
  { context, tx, tutorId }: Desk,
  { paymentId, currency }: Checkout & { paymentId: number },
  { id, amount }: CardReturn,
  what: 'disputed' | 'dispute won' | 'refund failed',
): Promise<void> {
  await context.events.publish(tx, cardMoneyMoved, {
    tutorId,
    what,
    paymentId,
    amount,
    currency,
    occasion: `${what} ${id}`,
  });
}
