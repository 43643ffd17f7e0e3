import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { scheduleEarlier } from '../../../platform/queue/tenant-schedule.ts';
import { cardAccountOf } from '../queries/accounts.ts';
import {
  type CheckoutChange,
  insertCheckout,
  openCheckouts,
  updateCheckout,
} from '../queries/checkouts.ts';
import { CARD_RECONCILE_WORK } from './account.ts';
import { getProvider, withProviderErrors } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

/** What a payer is about to pay. The amount is what the book says in this moment, never what a browser says. */
export interface CheckoutRequest {
  familyId: number;
  invoiceId: number | null;
  currency: string;
  amount: number;
  chargeIds: readonly number[];
  title: string;
  /** Our own page, to come back to. */
  pageUrl: string;
}

/** Whether a family can pay by card, and whether such a payment is under way; none where cards are not taken. */
export async function readCardPaymentStatus(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<{ pending: boolean } | null> {
  const [[account], open] = await context.db.tutorRead(tutorId, (tx) => [
    cardAccountOf(tx, tutorId),
    openCheckouts(tx, tutorId, familyId),
  ]);
  const on = account?.defaultMethod === 'stripe' && account.canTakeCards && context.cards !== null;
  return on ? { pending: open.some(({ state }) => state === 'pending') } : null;
}

/**
 * Closes what the family has begun, and reads once more what is due: whoever has two pages open pays once. `bill` is asked
 * after that, so that it sees a payment that came meanwhile.
 */
export async function startCheckout(
  context: Context,
  tutorId: string,
  familyId: number,
  bill: () => Promise<CheckoutRequest>,
): Promise<{ url: string }> {
  const cards = getProvider(context);
  return withProviderErrors(async () => {
    await closeOpenCheckouts(context, tutorId, familyId);
    const due = await bill();
    const { id, accountId, publicId } = await reserveCheckout(context, tutorId, due);
    const page = await cards
      .createCheckout(accountId, {
        publicId,
        amount: due.amount,
        currency: due.currency,
        title: due.title,
        successUrl: `${due.pageUrl}?card=paid`,
        cancelUrl: `${due.pageUrl}?card=cancelled`,
      })
      .catch(async (error: unknown) => {
        // Whether it exists or not, nobody was given its address: the next try need not wait for it.
        await saveCheckout(context, tutorId, id, { state: 'failed' });
        throw error;
      });
    await saveCheckout(context, tutorId, id, { stripe_session_id: page.sessionId });
    return { url: page.url };
  });
}

const saveCheckout = (context: Context, tutorId: string, id: number, change: CheckoutChange) =>
  context.db.tutorTransaction(tutorId, (tx) => updateCheckout(tx, tutorId, id, change));

async function reserveCheckout(context: Context, tutorId: string, bill: CheckoutRequest) {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const account = await cardAccountOf(tx, tutorId).executeTakeFirst();
    const on = account?.defaultMethod === 'stripe' && account.canTakeCards;
    if (!on || account.accountId === null) {
      throw new AppError('conflict', 'Card payments are switched off. Please choose another way.');
    }
    await assertNoOtherCheckout(tx, tutorId, bill, now);
    const { accountId } = account;
    const publicId = randomToken();
    const [id] = (await nextIds(tx, tutorId, 'checkout')) as [number];
    await insertCheckout(tx, tutorId, { ...bill, id, publicId, accountId, now });
    await scheduleEarlier(
      tx,
      tutorId,
      CARD_RECONCILE_WORK,
      new Date(now.getTime() + RECHECK_AFTER_MS),
    );
    return { id, accountId, publicId };
  });
}

/**
 * All others were closed a moment ago. What is still there is money on its way, or a second window that was as quick as this
 * one: both would charge the family twice. One whose answer got lost does not count for long; nobody has its address.
 */
async function assertNoOtherCheckout(
  tx: Tx,
  tutorId: string,
  bill: CheckoutRequest,
  now: Date,
): Promise<void> {
  const open = await openCheckouts(tx, tutorId, bill.familyId).execute();
  const others = open.filter(
    ({ currency, sessionId, createdAt }) =>
      currency === bill.currency &&
      (sessionId !== null || now.getTime() - createdAt.getTime() < ABANDONED_AFTER_MS),
  );
  if (others.some(({ state }) => state === 'pending')) {
    throw new AppError(
      'conflict',
      'A payment is on its way already. Please wait until it is here.',
    );
  }
  if (others.length > 0) {
    throw new AppError('conflict', 'The card page is being opened in another window.');
  }
}

const ABANDONED_AFTER_MS = 60_000;

/** If no word comes by then, we ask. */
const RECHECK_AFTER_MS = 15 * 60_000;

async function closeOpenCheckouts(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<void> {
  const [open] = await context.db.tutorRead(tutorId, (tx) => [
    openCheckouts(tx, tutorId, familyId),
  ]);
  for (const { accountId, sessionId, state } of open) {
    if (sessionId === null) continue;
    if (state === 'open') await getProvider(context).expireCheckout(accountId, sessionId);
    await syncCheckout(context, tutorId, accountId, sessionId);
  }
}
