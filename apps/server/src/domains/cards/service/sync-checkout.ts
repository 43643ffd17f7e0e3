import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CardReversal, CheckoutDetails } from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import {
  findRefundRequestByPublicId,
  hasReopenedCharges,
  recordCardPayment,
  recordCardRefund,
  reverseCardRefund,
  setRefundRequestState,
} from '../../payments/service/card-ledger.ts';
import {
  type CardReversalChange,
  cardPaymentFailed,
  cardPaymentReceived,
  cardReversalChanged,
} from '../events.ts';
import {
  type Checkout,
  findCheckout,
  findReversals,
  type RecordedReversal,
  type ReversalState,
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

type PaidCheckout = Checkout & { paymentId: number };

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
  await context.events.publish(tx, cardPaymentFailed, failed);
}

async function applyReversals(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversals: readonly CardReversal[],
): Promise<boolean> {
  const { tx, tutorId } = checkoutTx;
  const known = await findReversals(tx, tutorId, checkout.id);
  let written = false;
  // Process failed refunds and won disputes first: they restore money that another reversal may need.
  for (const reversal of reversals.toSorted((a, b) => Number(a.isActive) - Number(b.isActive))) {
    const recorded = await applyReversal(checkoutTx, checkout, reversal, known.get(reversal.id));
    if (recorded === null) continue;
    await saveReversal(tx, tutorId, {
      vendorId: reversal.id,
      checkoutId: checkout.id,
      kind: reversal.kind,
      ...recorded,
    });
    written = true;
  }
  return written;
}

/** Returns null if nothing has changed. */
async function applyReversal(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversal: CardReversal,
  known: RecordedReversal | undefined,
): Promise<RecordedReversal | null> {
  const entryId = known?.state === 'undone' ? null : (known?.paymentId ?? null);
  if (reversal.isActive && entryId === null)
    return recordReversal(checkoutTx, checkout, reversal, known);
  if (entryId === null) return null;
  if (!reversal.isActive) return undoReversal(checkoutTx, checkout, reversal, entryId);
  const isLost = known?.state === 'disputed' && !reversal.isPending;
  if (!isLost) return null;
  const state = await stateOfReopenedCharges(checkoutTx, entryId);
  await publishReversalChange(checkoutTx, checkout, reversal, 'dispute lost', state);
  return { paymentId: entryId, state };
}

/** The tutor is asked about reopened charges; if there are none, there is nothing to decide. */
const stateOfReopenedCharges = async (
  { tx, tutorId }: CheckoutTx,
  entryId: number | null,
): Promise<ReversalState> =>
  entryId !== null && (await hasReopenedCharges(tx, tutorId, entryId)) ? 'undecided' : 'settled';

async function recordReversal(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversal: CardReversal,
  known: RecordedReversal | undefined,
): Promise<RecordedReversal | null> {
  const { context, tx, tutorId, now } = checkoutTx;
  const request = reversal.requestId
    ? await findRefundRequestByPublicId(tx, tutorId, reversal.requestId)
    : undefined;
  const { entryId, amount } = await recordCardRefund(tx, tutorId, checkout.paymentId, {
    amount: reversal.amount,
    paidOn: dateInZone(checkoutTx.timeZone, reversal.at),
    note: request?.note ?? null,
    now,
  });
  // Another reversal has already returned the whole payment, and this one has already been recorded.
  if (entryId === null && known) return null;
  if (request) await setRefundRequestState(tx, tutorId, request.id, 'done');
  if (amount !== reversal.amount) {
    context.log.warn(
      { reversal: reversal.id },
      'card reversal exceeds the remaining amount of its payment',
    );
  }
  // The tutor decided about the charges when requesting the refund.
  const state = reversal.isPending
    ? 'disputed'
    : request
      ? 'settled'
      : await stateOfReopenedCharges(checkoutTx, entryId);
  const change = changeOf(reversal, request !== undefined);
  await publishReversalChange(checkoutTx, checkout, reversal, change, state);
  return { paymentId: entryId, state };
}

function changeOf({ kind, isPending }: CardReversal, wasRequested: boolean): CardReversalChange {
  if (kind === 'dispute') return isPending ? 'disputed' : 'dispute lost';
  return wasRequested ? 'refunded' : 'refunded at provider';
}

async function undoReversal(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversal: CardReversal,
  entryId: number,
): Promise<RecordedReversal> {
  const { tx, tutorId, now } = checkoutTx;
  await reverseCardRefund(tx, tutorId, entryId, now);
  const request = reversal.requestId
    ? await findRefundRequestByPublicId(tx, tutorId, reversal.requestId)
    : undefined;
  if (request) await setRefundRequestState(tx, tutorId, request.id, 'failed');
  const change = reversal.kind === 'refund' ? 'refund failed' : 'dispute won';
  await publishReversalChange(checkoutTx, checkout, reversal, change, 'undone');
  return { paymentId: entryId, state: 'undone' };
}

async function publishReversalChange(
  { context, tx, tutorId }: CheckoutTx,
  { paymentId, familyId, currency }: PaidCheckout,
  { id, amount }: CardReversal,
  change: CardReversalChange,
  state: ReversalState,
): Promise<void> {
  await context.events.publish(tx, cardReversalChanged, {
    tutorId,
    change,
    familyId,
    paymentId,
    amount,
    currency,
    isUndecided: state === 'undecided',
    dedupeKey: `${change} ${id}`,
  });
}
