import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import { CardAccountLost, CardsRefused } from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { closeRefundRequest, getRefundRequest } from '../../payments/service/card-ledger.ts';
import { cardReversalChanged } from '../events.ts';
import { findCheckoutByPayment } from '../queries/checkouts.ts';
import { getProvider } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

/** Name and payload of the job that asks the provider to give money back. */
export const CARD_REFUND_JOB = {
  name: 'card-refund',
  payload: z.object({ tutorId: z.uuid(), requestId: z.number() }),
};

export async function onRefundRequested(
  context: Context,
  tx: Tx,
  request: { tutorId: string; requestId: number },
): Promise<void> {
  await context.queue.enqueue(tx, CARD_REFUND_JOB, request);
}

/** However often it runs, the provider knows the request by its public id and gives back once. */
export async function refundByCard(
  context: Context,
  { tutorId, requestId }: { tutorId: string; requestId: number },
): Promise<void> {
  const found = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const request = await getRefundRequest(tx, tutorId, requestId);
    if (request?.state !== 'waiting') return null;
    return { request, checkout: await findCheckoutByPayment(tx, tutorId, request.paymentId) };
  });
  if (!found) return;
  const { request, checkout } = found;
  try {
    if (!checkout?.paymentIntent || !checkout.sessionId) throw new CardsRefused('No such payment');
    await getProvider(context).refund(checkout.accountId, {
      requestId: request.publicId,
      paymentIntent: checkout.paymentIntent,
      amount: request.amount,
    });
    await syncCheckout(context, tutorId, checkout.accountId, checkout.sessionId);
  } catch (error) {
    if (!(error instanceof CardsRefused || error instanceof CardAccountLost)) throw error;
    await context.db.tutorTransaction(tutorId, async (tx) => {
      await closeRefundRequest(tx, tutorId, requestId, 'failed');
      await context.events.publish(tx, cardReversalChanged, {
        tutorId,
        what: 'refund failed',
        paymentId: request.paymentId,
        amount: request.amount,
        currency: checkout?.currency ?? '',
        occasion: `refund request ${requestId}`,
      });
    });
  }
}
