import * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import { type CardEvent, type CardProvider, ForgedEvent } from '../../../integrations/cards.ts';
import { AppError } from '../../../platform/app-error.ts';
import { insertEvent, ownerOf } from '../queries/accounts.ts';
import { refreshAccount } from './account.ts';
import { converge } from './converge.ts';
import { providerOf } from './provider.ts';

/** Name and payload of the job that looks into what an event is about; what it does stands in jobs.ts. */
export const CARD_EVENT = {
  name: 'card-event',
  payload: z.object({
    tutorId: z.uuid(),
    accountId: z.string(),
    sessionId: z.nullable(z.string()),
    paymentIntent: z.nullable(z.string()),
  }),
};

type Read = (cards: CardProvider) => CardEvent;

/**
 * Checks who speaks, writes down that it was said, and leaves the rest to the worker. An event that was taken before, is
 * about nobody's account or comes from the other mode changes nothing.
 */
async function take(context: Context, read: Read): Promise<{ received: boolean }> {
  const event = verified(context, read);
  const { id, type, accountId, live, sessionId, paymentIntent } = event;
  if (accountId === null || live !== providerOf(context).live) return { received: false };
  const now = context.clock.now();
  return context.db.inGlobal(async (tx) => {
    const tutorId = await ownerOf(tx, accountId);
    if (tutorId === null) return { received: false };
    if (!(await insertEvent(tx, { id, type, accountId, now }))) return { received: true };
    const about = { tutorId, accountId, sessionId, paymentIntent };
    await context.queue.enqueue(tx, CARD_EVENT, about);
    return { received: true };
  });
}

function verified(context: Context, read: Read): CardEvent {
  try {
    return read(providerOf(context));
  } catch (error) {
    if (!(error instanceof ForgedEvent)) throw error;
    throw new AppError('invalid', 'The signature does not fit.');
  }
}

export const takeAccountEvent = (
  context: Context,
  body: string,
  signature: string,
): Promise<{ received: boolean }> => take(context, (cards) => cards.accountEvent(body, signature));

export const takePaymentEvent = (
  context: Context,
  body: string,
  signature: string,
): Promise<{ received: boolean }> => take(context, (cards) => cards.paymentEvent(body, signature));

/** Believes nothing of what the event said but what it is about. */
export async function lookInto(
  context: Context,
  event: z.infer<(typeof CARD_EVENT)['payload']>,
): Promise<void> {
  const { tutorId, accountId, paymentIntent } = event;
  if (event.sessionId === null && paymentIntent === null) {
    await refreshAccount(context, tutorId);
    return;
  }
  const cards = providerOf(context);
  const sessionId =
    event.sessionId ??
    (paymentIntent === null ? null : await cards.sessionOfPayment(accountId, paymentIntent));
  if (sessionId !== null) await converge(context, tutorId, accountId, sessionId);
}
