import type { Context } from '../../../context.ts';
import { bringForward } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import { randomToken } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { cardAccountOf } from '../queries/accounts.ts';
import {
  type CheckoutChange,
  insertCheckout,
  undecidedCheckouts,
  updateCheckout,
} from '../queries/checkouts.ts';
import { CARDS } from './account.ts';
import { converge } from './converge.ts';
import { inWords, providerOf } from './provider.ts';

/** What a payer is about to pay. The amount is what the book says in this moment, never what a browser says. */
export interface Bill {
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
export async function readCards(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<{ pending: boolean } | null> {
  const [[account], undecided] = await context.db.readTutor(tutorId, (tx) => [
    cardAccountOf(tx, tutorId),
    undecidedCheckouts(tx, tutorId, familyId),
  ]);
  const on = account?.defaultMethod === 'stripe' && account.canTakeCards && context.cards !== null;
  return on ? { pending: undecided.some(({ state }) => state === 'pending') } : null;
}

/**
 * Closes what the family has begun, and reads once more what is due: whoever has two pages open pays once. `bill` is asked
 * after that, so that it sees a payment that came meanwhile.
 */
export async function startCheckout(
  context: Context,
  tutorId: string,
  familyId: number,
  bill: () => Promise<Bill>,
): Promise<{ url: string }> {
  const cards = providerOf(context);
  return inWords(async () => {
    await closeOthers(context, tutorId, familyId);
    const due = await bill();
    const { id, accountId, publicId } = await begin(context, tutorId, due);
    const page = await cards
      .openCheckout(accountId, {
        publicId,
        amount: due.amount,
        currency: due.currency,
        title: due.title,
        successUrl: `${due.pageUrl}?card=paid`,
        cancelUrl: `${due.pageUrl}?card=cancelled`,
      })
      .catch(async (error: unknown) => {
        // Whether it exists or not, nobody was given its address: the next try need not wait for it.
        await note(context, tutorId, id, { state: 'failed' });
        throw error;
      });
    await note(context, tutorId, id, { stripe_session_id: page.sessionId });
    return { url: page.url };
  });
}

const note = (context: Context, tutorId: string, id: number, change: CheckoutChange) =>
  context.db.withTutor(tutorId, (tx) => updateCheckout(tx, tutorId, id, change));

async function begin(context: Context, tutorId: string, bill: Bill) {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, async (tx) => {
    const account = await cardAccountOf(tx, tutorId).executeTakeFirst();
    const on = account?.defaultMethod === 'stripe' && account.canTakeCards;
    if (!on || account.accountId === null) {
      throw new AppError('conflict', 'Card payments are switched off. Please choose another way.');
    }
    await mustBeTheOnlyOne(tx, tutorId, bill, now);
    const { accountId } = account;
    const publicId = randomToken();
    const [id] = (await takeIds(tx, tutorId, 'checkout')) as [number];
    await insertCheckout(tx, tutorId, { ...bill, id, publicId, accountId, now });
    await bringForward(tx, tutorId, CARDS, new Date(now.getTime() + LOOK_AGAIN_MS));
    return { id, accountId, publicId };
  });
}

/**
 * All others were closed a moment ago. What is still there is money on its way, or a second window that was as quick as this
 * one: both would charge the family twice. One whose answer got lost does not count for long; nobody has its address.
 */
async function mustBeTheOnlyOne(tx: Tx, tutorId: string, bill: Bill, now: Date): Promise<void> {
  const undecided = await undecidedCheckouts(tx, tutorId, bill.familyId).execute();
  const others = undecided.filter(
    ({ currency, sessionId, createdAt }) =>
      currency === bill.currency &&
      (sessionId !== null || now.getTime() - createdAt.getTime() < LOST_MS),
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

const LOST_MS = 60_000;

/** If no word comes by then, we ask. */
const LOOK_AGAIN_MS = 15 * 60_000;

async function closeOthers(context: Context, tutorId: string, familyId: number): Promise<void> {
  const [undecided] = await context.db.readTutor(tutorId, (tx) => [
    undecidedCheckouts(tx, tutorId, familyId),
  ]);
  for (const { accountId, sessionId, state } of undecided) {
    if (sessionId === null) continue;
    if (state === 'open') await providerOf(context).expireCheckout(accountId, sessionId);
    await converge(context, tutorId, accountId, sessionId);
  }
}
