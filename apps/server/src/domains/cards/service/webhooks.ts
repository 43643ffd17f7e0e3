import type * as z from 'zod/mini';
import type { Context } from '../../../context.ts';
import {
  type CardEvent,
  type CardProvider,
  InvalidSignatureError,
} from '../../../integrations/card-provider.ts';
import { AppError } from '../../../platform/app-error.ts';
import {
  assertTutorWritable,
  hasTutorMoved,
} from '../../../platform/db/tutor-move-write-guards.ts';
import { scheduleEarlier } from '../../../platform/queue/tenant-schedule.ts';
import { cardUpdateFailed } from '../events.ts';
import { CARD_EVENT_JOB, CARD_RECONCILE_WORK } from '../job-types.ts';
import { cardAccountByTutor } from '../queries/accounts.ts';
import { findTutorByAccount } from '../queries/stripe-account-owners.ts';
import { insertWebhookEvent } from '../queries/webhook-events.ts';
import { refreshAccount } from './account.ts';
import { getProvider } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

type ParseEvent = (cards: CardProvider) => CardEvent;

/**
 * Verifies the signature, stores the event and enqueues a job for it. Ignores events that have already been received,
 * belong to an unknown account, come from the other mode (live or test), or are about a tutor who has moved to another
 * installation, which also receives them. While a tutor is being moved, the request fails, so that the provider sends
 * the event again.
 */
async function receiveEvent(context: Context, parse: ParseEvent): Promise<{ received: boolean }> {
  const event = verifyEvent(context, parse);
  const { id, type, accountId, live, sessionId, paymentIntent } = event;
  if (accountId === null || live !== getProvider(context).live) return { received: false };
  const now = context.clock.now();
  return context.db.globalTransaction(async (tx) => {
    const tutorId = await findTutorByAccount(tx, accountId);
    if (tutorId === null || (await hasTutorMoved(tx, tutorId))) return { received: false };
    await assertTutorWritable(tx, tutorId);
    if (!(await insertWebhookEvent(tx, { id, type, accountId, now }))) return { received: true };
    const payload = { tutorId, accountId, stripeSessionId: sessionId, paymentIntent };
    await context.queue.enqueue(tx, CARD_EVENT_JOB, payload);
    return { received: true };
  });
}

function verifyEvent(context: Context, parse: ParseEvent): CardEvent {
  try {
    return parse(getProvider(context));
  } catch (error) {
    if (!(error instanceof InvalidSignatureError)) throw error;
    throw new AppError('invalid', 'Invalid webhook signature.');
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

type CardEventIds = z.infer<(typeof CARD_EVENT_JOB)['payload']>;

/** Uses only the ids from the event, and reads the current state from the provider. */
export async function processCardEvent(context: Context, event: CardEventIds): Promise<void> {
  const { tutorId, accountId, paymentIntent } = event;
  if (event.stripeSessionId === null && paymentIntent === null) {
    await refreshAccount(context, tutorId);
    return;
  }
  const cards = getProvider(context);
  const stripeSessionId =
    event.stripeSessionId ??
    (paymentIntent === null ? null : await cards.findSessionByPayment(accountId, paymentIntent));
  if (stripeSessionId !== null) await syncCheckout(context, tutorId, accountId, stripeSessionId);
}

/** Schedules a reconciliation, which does not need the event, and asks the tutor to check the payments in case it fails too. */
export async function abandonCardEvent(context: Context, event: CardEventIds): Promise<void> {
  const { tutorId, accountId, stripeSessionId, paymentIntent } = event;
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const account = await cardAccountByTutor(tx, tutorId).executeTakeFirst();
    // The tutor has disconnected the account in the meantime.
    if (account?.accountId !== accountId) return;
    await scheduleEarlier(tx, tutorId, CARD_RECONCILE_WORK, now);
    const subject = stripeSessionId ?? paymentIntent ?? accountId;
    await context.events.publish(tx, cardUpdateFailed, {
      tutorId,
      dedupeKey: `card update ${subject} ${now.toISOString().slice(0, 10)}`,
    });
  });
}
