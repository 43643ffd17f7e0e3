import type { Context } from '../../../context.ts';
import { CardAccountLost, CardsRefused } from '../../../integrations/card-provider.ts';
import {
  findRefundRequest,
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
  error instanceof CardsRefused || error instanceof CardAccountLost;

/**
 * Safe to retry: the request's public id is sent to the provider as the idempotency key. Once the provider has accepted
 * the refund, its id is stored, and no later error can report the refund as failed.
 */
export async function refundCardPayment(
  context: Context,
  { tutorId, requestId }: { tutorId: string; requestId: number },
): Promise<void> {
  const found = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const request = await findRefundRequest(tx, tutorId, requestId);
    if (request?.state !== 'waiting') return null;
    return { request, checkout: await findCheckoutByPayment(tx, tutorId, request.paymentId) };
  });
  if (!found) return;
  const { request, checkout } = found;
  if (!checkout?.paymentIntent || !checkout.stripeSessionId)
    return markRefundFailed(context, tutorId, request, checkout?.currency ?? '');
  const { paymentIntent, stripeSessionId } = checkout;
  const refundable = { ...checkout, paymentIntent, stripeSessionId };
  const vendorId = request.vendorId ?? (await requestRefund(context, tutorId, request, refundable));
  if (vendorId !== null) await recordRefund(context, tutorId, request, refundable, vendorId);
}

/** Returns the provider's id of the refund, or null if the provider has rejected it. */
async function requestRefund(
  context: Context,
  tutorId: string,
  request: RefundRequest,
  { accountId, paymentIntent, currency }: RefundableCheckout,
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
    await markRefundFailed(context, tutorId, request, currency);
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
  { publicId, amount }: RefundRequest,
  { accountId, stripeSessionId }: RefundableCheckout,
  vendorId: string,
): Promise<void> {
  try {
    await syncCheckout(context, tutorId, accountId, stripeSessionId);
  } catch (error) {
    if (!isRejection(error)) throw error;
    context.log.warn({ err: error }, 'a refunded checkout could not be read');
    await recordConfirmedRefund(context, tutorId, stripeSessionId, {
      id: vendorId,
      kind: 'refund',
      amount,
      at: context.clock.now(),
      isActive: true,
      requestId: publicId,
    });
  }
}

async function markRefundFailed(
  context: Context,
  tutorId: string,
  { id, paymentId, amount }: RefundRequest,
  currency: string,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    // A webhook, or a concurrent run of this job, may have recorded the refund in the meantime.
    const current = await findRefundRequest(tx, tutorId, id);
    if (current?.state !== 'waiting' || current.vendorId !== null) return;
    await setRefundRequestState(tx, tutorId, id, 'failed');
    await context.events.publish(tx, cardReversalChanged, {
      tutorId,
      change: 'refund failed',
      paymentId,
      amount,
      currency,
      dedupeKey: `refund request ${id}`,
    });
  });
}
