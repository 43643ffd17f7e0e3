import type { Context } from '../../../context.ts';
import { CardAccountLost, CardsRefused } from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import {
  findRefundRequest,
  getPaymentCurrency,
  pendingRefundRequestIds,
  setRefundRequestState,
} from '../../payments/service/card-ledger.ts';
import { cardReversalChanged } from '../events.ts';
import { findCheckoutByPayment } from '../queries/checkouts.ts';
import { getProvider } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

/** Safe to retry: the request's public id is sent to the provider as the idempotency key. */
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
  try {
    if (!checkout?.paymentIntent || !checkout.stripeSessionId)
      throw new CardsRefused('No such payment');
    await getProvider(context).refund(checkout.accountId, {
      requestId: request.publicId,
      paymentIntent: checkout.paymentIntent,
      amount: request.amount,
    });
    await syncCheckout(context, tutorId, checkout.accountId, checkout.stripeSessionId);
  } catch (error) {
    if (!(error instanceof CardsRefused || error instanceof CardAccountLost)) throw error;
    await giveUpRefund(context, { tutorId, requestId });
  }
}

/**
 * Releases the reserved amount and notifies the tutor. If the provider made the refund after all, reconciliation records it
 * and completes the request.
 */
export async function giveUpRefund(
  context: Context,
  { tutorId, requestId }: { tutorId: string; requestId: number },
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const request = await findRefundRequest(tx, tutorId, requestId);
    if (request?.state !== 'waiting') return;
    const { paymentId, amount } = request;
    await setRefundRequestState(tx, tutorId, requestId, 'failed');
    await context.events.publish(tx, cardReversalChanged, {
      tutorId,
      change: 'refund failed',
      paymentId,
      amount,
      currency: await getPaymentCurrency(tx, tutorId, paymentId),
      dedupeKey: `refund request ${requestId}`,
    });
  });
}

export const listPendingRefunds = async (tx: Tx, tutorId: string) =>
  (await pendingRefundRequestIds(tx, tutorId)).map((requestId) => ({ tutorId, requestId }));
