import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import {
  type CardEvent,
  type CardProvider,
  InvalidSignature,
} from '../../../integrations/card-provider.ts';
import { AppError } from '../../../platform/app-error.ts';
import { findTutorByAccount, insertWebhookEvent } from '../queries/accounts.ts';
import { refreshAccount } from './account.ts';
import { getProvider } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

/** Name and payload of the job that looks into what an event is about; what it does stands in jobs.ts. */
export const CARD_EVENT_JOB = {
  name: 'card-event',
  payload: z.object({
    tutorId: z.uuid(),
    accountId: z.string(),
    sessionId: z.nullable(z.string()),
    paymentIntent: z.nullable(z.string()),
  }),
};

type ParseEvent = (cards: CardProvider) => CardEvent;

/**
 * Checks who speaks, writes down that it was said, and leaves the rest to the worker. An event that was taken before, is
 * about nobody's account or comes from the other mode changes nothing.
 */
async function receiveEvent(context: Context, read: ParseEvent): Promise<{ received: boolean }> {
  const event = verifyEvent(context, read);
  const { id, type, accountId, live, sessionId, paymentIntent } = event;
  if (accountId === null || live !== getProvider(context).live) return { received: false };
  const now = context.clock.now();
  return context.db.globalTransaction(async (tx) => {
    const tutorId = await findTutorByAccount(tx, accountId);
    if (tutorId === null) return { received: false };
    if (!(await insertWebhookEvent(tx, { id, type, accountId, now }))) return { received: true };
    const about = { tutorId, accountId, sessionId, paymentIntent };
    await context.queue.enqueue(tx, CARD_EVENT_JOB, about);
    return { received: true };
  });
}

function verifyEvent(context: Context, read: ParseEvent): CardEvent {
  try {
    return read(getProvider(context));
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    throw new AppError('invalid', 'The signature does not fit.');
  }
}

export const receiveAccountEvent = (
  context: Context,
  body: string,
  signature: string,
): Promise<{ received: boolean }> =>
  receiveEvent(context, (cards) => cards.parseAccountEvent(body, signature));

export const receivePaymentEvent = (
  context: Context,
  body: string,
  signature: string,
): Promise<{ received: boolean }> =>
  receiveEvent(context, (cards) => cards.parsePaymentEvent(body, signature));

/** Believes nothing of what the event said but what it is about. */
export async function processCardEvent(
  context: Context,
  event: z.infer<(typeof CARD_EVENT_JOB)['payload']>,
): Promise<void> {
  const { tutorId, accountId, paymentIntent } = event;
  if (event.sessionId === null && paymentIntent === null) {
    await refreshAccount(context, tutorId);
    return;
  }
  const cards = getProvider(context);
  const sessionId =
    event.sessionId ??
    (paymentIntent === null ? null : await cards.findSessionByPayment(accountId, paymentIntent));
  if (sessionId !== null) await syncCheckout(context, tutorId, accountId, sessionId);
}
