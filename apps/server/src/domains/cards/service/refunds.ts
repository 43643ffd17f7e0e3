import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import { CardAccountLost, CardsRefused } from '../../../integrations/cards.ts';
import type { Tx } from '../../../platform/db.ts';
import { closeRefundRequest, refundRequest } from '../../payments/service/card-money.ts';
import { cardMoneyMoved } from '../events.ts';
import { checkoutOfPayment } from '../queries/checkouts.ts';
import { converge } from './converge.ts';
import { providerOf } from './provider.ts';

/** Name and payload of the job that asks the provider to give money back. */
export const CARD_REFUND = {
  name: 'card-refund',
  payload: z.object({ tutorId: z.uuid(), requestId: z.number() }),
};

export async function hearRefundRequested(
  context: Context,
  tx: Tx,
  request: { tutorId: string; requestId: number },
): Promise<void> {
  await context.queue.enqueue(tx, CARD_REFUND, request);
}

/** However often it runs, the provider knows the request by its public id and gives back once. */
export async function giveBackByCard(
  context: Context,
  { tutorId, requestId }: { tutorId: string; requestId: number },
): Promise<void> {
  const found = await context.db.lookAtTutor(tutorId, async (tx) => {
    const request = await refundRequest(tx, tutorId, requestId);
    if (request?.state !== 'waiting') return null;
    return { request, checkout: await checkoutOfPayment(tx, tutorId, request.paymentId) };
  });
  if (!found) return;
  const { request, checkout } = found;
  try {
    if (!checkout?.paymentIntent || !checkout.sessionId) throw new CardsRefused('No such payment');
    await providerOf(context).refund(checkout.accountId, {
      requestId: request.publicId,
      paymentIntent: checkout.paymentIntent,
      amount: request.amount,
    });
    await converge(context, tutorId, checkout.accountId, checkout.sessionId);
  } catch (error) {
    if (!(error instanceof CardsRefused || error instanceof CardAccountLost)) throw error;
    await context.db.withTutor(tutorId, async (tx) => {
      await closeRefundRequest(tx, tutorId, requestId, 'failed');
      await context.events.publish(tx, cardMoneyMoved, {
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
