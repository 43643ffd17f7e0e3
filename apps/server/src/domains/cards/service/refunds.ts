import type { Context } from '../../../context.ts';
import {
  CardAccountAccessError,
  CardRequestRejectedError,
} from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import {
  findRefundRequest,
  getFamilyAndCurrencyOfPayment,
  pendingRefundRequestIds,
  type RefundRequest,
  setRefundRequestState,
  setRefundRequestVendorId,
} from '../../payments/service/card-ledger.ts';
import { cardReversalChanged } from '../events.ts';
import { type Checkout, findCheckoutByPayment } from '../queries/checkouts.ts';
import { getProvider } from './provider-errors.ts';
import { recordConfirmedRefund, syncCheckout } from './sync-checkout.ts';

type RefundableCheckout = Checkout & { paymentIntent: string; stripeSessionId: string };

const isRejection = (error: unknown): boolean =>
  error instanceof CardRequestRejectedError || error instanceof CardAccountAccessError;

/**
 * Safe to retry: the request's public id is sent to the provider as the idempotency key. Once the provider has accepted
 * the refund, its id is stored, and no later error can report the refund as failed.
 */
export async function refundCardPayment(
  context: Context,
  { tutorId, requestId }: { tutorId: string; requestId: number },
): Promise<void> {
  const found = await findWaitingRefund(context, tutorId, requestId);
  if (!found) return;
  const { request, checkout } = found;
  if (!checkout?.paymentIntent || !checkout.stripeSessionId)
    return markRefundFailed(context, tutorId, requestId);
  const { paymentIntent, stripeSessionId } = checkout;
  const refundable = { ...checkout, paymentIntent, stripeSessionId };
  const vendorId = request.vendorId ?? (await requestRefund(context, tutorId, request, refundable));
  if (vendorId !== null) await recordRefund(context, tutorId, request, refundable, vendorId);
}

const findWaitingRefund = (context: Context, tutorId: string, requestId: number) =>
  context.db.tutorSnapshot(tutorId, async (tx) => {
    const request = await findRefundRequest(tx, tutorId, requestId);
    if (request?.state !== 'waiting') return null;
    return { request, checkout: await findCheckoutByPayment(tx, tutorId, request.paymentId) };
  });

/** Returns the provider's id of the refund, or null if the provider has rejected it. */
async function requestRefund(
  context: Context,
  tutorId: string,
  request: RefundRequest,
  { accountId, paymentIntent }: RefundableCheckout,
): Promise<string | null> {
  const { publicId, amount } = request;
  let vendorId: string;
  try {
    vendorId = await getProvider(context).refund(accountId, {
      requestId: publicId,
      paymentIntent,
      amount,
    });
  } catch (error) {
    if (!isRejection(error)) throw error;
    await markRefundFailed(context, tutorId, request.id);
    return null;
  }
  await context.db.tutorTransactionUnlocked(tutorId, (tx) =>
    setRefundRequestVendorId(tx, tutorId, request.id, vendorId),
  );
  return vendorId;
}

/** If the checkout can no longer be read, records what the provider has confirmed. */
async function recordRefund(
  context: Context,
  tutorId: string,
  request: RefundRequest,
  { accountId, stripeSessionId }: RefundableCheckout,
  vendorId: string,
): Promise<void> {
  try {
    await syncCheckout(context, tutorId, accountId, stripeSessionId);
  } catch (error) {
    if (!isRejection(error)) throw error;
    context.log.warn({ err: error }, 'a refunded checkout could not be read');
    await recordAcceptedRefund(context, tutorId, request, stripeSessionId, vendorId);
  }
}

const recordAcceptedRefund = (
  context: Context,
  tutorId: string,
  { publicId, amount }: RefundRequest,
  stripeSessionId: string,
  vendorId: string,
): Promise<void> =>
  recordConfirmedRefund(context, tutorId, stripeSessionId, {
    id: vendorId,
    kind: 'refund',
    amount,
    at: context.clock.now(),
    isActive: true,
    isPending: false,
    requestId: publicId,
  });

/**
 * Records a refund that the provider has accepted. Otherwise, releases the reserved amount and notifies the tutor; if
 * the provider made the refund after all, reconciliation records it and completes the request.
 */
export async function abandonRefund(
  context: Context,
  { tutorId, requestId }: { tutorId: string; requestId: number },
): Promise<void> {
  const found = await findWaitingRefund(context, tutorId, requestId);
  if (!found) return;
  const { request, checkout } = found;
  if (request.vendorId !== null && checkout?.stripeSessionId) {
    const { vendorId } = request;
    return recordAcceptedRefund(context, tutorId, request, checkout.stripeSessionId, vendorId);
  }
  await markRefundFailed(context, tutorId, requestId);
}

async function markRefundFailed(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    // A webhook, or a concurrent run of this job, may have recorded the refund in the meantime.
    const current = await findRefundRequest(tx, tutorId, id);
    if (current?.state !== 'waiting' || current.vendorId !== null) return;
    const { paymentId, amount } = current;
    await setRefundRequestState(tx, tutorId, id, 'failed');
    const { familyId, currency } = await getFamilyAndCurrencyOfPayment(tx, tutorId, paymentId);
    await context.events.publish(tx, cardReversalChanged, {
      tutorId,
      change: 'refund failed',
      familyId,
      paymentId,
      amount,
      currency,
      needsTutorDecision: false,
      dedupeKey: `refund request ${id}`,
    });
  });
}

export const listPendingRefunds = async (tx: Tx, tutorId: string) =>
  (await pendingRefundRequestIds(tx, tutorId)).map((requestId) => ({ tutorId, requestId }));
