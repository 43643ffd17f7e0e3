import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { lockScheduledWork, scheduleEarlier } from '../../../platform/queue/tenant-schedule.ts';
import { CARD_RECONCILE_WORK } from '../job-types.ts';
import { type CardAccount, cardAccountByTutor } from '../queries/accounts.ts';
import {
  type CheckoutChange,
  type FailedDebit,
  insertCheckout,
  latestFailedDebit,
  openCheckouts,
  updateCheckout,
} from '../queries/checkouts.ts';
import { getProvider, withProviderErrors } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

/** A payment that a payer wants to make. The amount comes from the current balance, never from the browser. */
export interface CheckoutRequest {
  familyId: number;
  invoiceId: number | null;
  currency: string;
  amount: number;
  chargeIds: readonly number[];
  title: string;
  /** The page on our site that the provider redirects back to. */
  pageUrl: string;
}

const isEnabled = (context: Context, account: CardAccount | undefined): boolean =>
  account?.defaultMethod === 'stripe' && account.canTakeCards && context.cards !== null;

export const acceptsCards = async (context: Context, tx: Tx, tutorId: string): Promise<boolean> =>
  isEnabled(context, await cardAccountByTutor(tx, tutorId).executeTakeFirst());

/** Whether the family has a pending card payment; null if card payments are switched off. */
export async function getCardPaymentStatus(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<{ pending: boolean } | null> {
  const [[account], open] = await executeBatch(tx, [
    cardAccountByTutor(tx, tutorId),
    openCheckouts(tx, tutorId, familyId),
  ]);
  return isEnabled(context, account)
    ? { pending: open.some(({ state }) => state === 'pending') }
    : null;
}

/** The family's latest bank debit that failed; undefined if none did. */
export const getFailedDebit = (
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<FailedDebit | undefined> => latestFailedDebit(tx, tutorId, familyId).executeTakeFirst();

/**
 * Expires the family's open checkouts first, so that two open pages cannot both be paid. `getRequest` is called
 * afterwards, under the tutor's lock, so the amount takes into account every payment recorded until then.
 */
export async function startCheckout(
  context: Context,
  tutorId: string,
  familyId: number,
  getRequest: (tx: Tx) => Promise<CheckoutRequest>,
): Promise<{ url: string }> {
  const cards = getProvider(context);
  return withProviderErrors(async () => {
    await expireOpenCheckouts(context, tutorId, familyId);
    const { id, accountId, publicId, request } = await reserveCheckout(
      context,
      tutorId,
      getRequest,
    );
    const page = await cards
      .createCheckout(accountId, {
        publicId,
        amount: request.amount,
        currency: request.currency,
        title: request.title,
        successUrl: `${request.pageUrl}?card=paid`,
        cancelUrl: `${request.pageUrl}?card=cancelled`,
      })
      .catch(async (error: unknown) => {
        // The checkout may exist at the provider, but the payer never got its URL, so let the next attempt proceed.
        await saveCheckout(context, tutorId, id, { state: 'failed' });
        throw error;
      });
    const state = await saveCheckout(context, tutorId, id, { stripe_session_id: page.sessionId });
    if (state === 'open') return { url: page.url };
    // Something was paid, credited or voided while the provider was creating the checkout.
    await cards.expireCheckout(accountId, page.sessionId);
    throw new AppError('conflict', 'The amount has just changed. Please check it and try again.');
  });
}

/** Returns the state of the checkout. */
const saveCheckout = (
  context: Context,
  tutorId: string,
  id: number,
  change: CheckoutChange,
): Promise<string | undefined> =>
  context.db.tutorTransaction(tutorId, (tx) => updateCheckout(tx, tutorId, id, change));

async function reserveCheckout(
  context: Context,
  tutorId: string,
  getRequest: (tx: Tx) => Promise<CheckoutRequest>,
) {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const request = await getRequest(tx);
    const account = await cardAccountByTutor(tx, tutorId).executeTakeFirst();
    const canPayByCard = account?.defaultMethod === 'stripe' && account.canTakeCards;
    if (!canPayByCard || account.accountId === null) {
      throw new AppError(
        'conflict',
        "Card payments aren't available at the moment. Please pay another way.",
      );
    }
    await assertNoOtherCheckout(tx, tutorId, request, now);
    const { accountId } = account;
    const publicId = randomToken();
    const [id] = (await nextIdsForKind(tx, tutorId, 'checkout')) as [number];
    await insertCheckout(tx, tutorId, { ...request, id, publicId, accountId, now });
    // Waits for a reconciliation in progress, which would otherwise overwrite the due time.
    await lockScheduledWork(tx, tutorId, CARD_RECONCILE_WORK);
    await scheduleEarlier(
      tx,
      tutorId,
      CARD_RECONCILE_WORK,
      new Date(now.getTime() + RECHECK_AFTER_MS),
    );
    return { id, accountId, publicId, request };
  });
}

/**
 * The caller has just expired the open checkouts. Any that remain are pending or were opened by a concurrent request,
 * so another checkout could charge the family twice. A checkout without a Stripe session blocks new ones for only a
 * minute: if the provider's response was lost, the payer never got the URL.
 */
async function assertNoOtherCheckout(
  tx: Tx,
  tutorId: string,
  request: CheckoutRequest,
  now: Date,
): Promise<void> {
  const open = await openCheckouts(tx, tutorId, request.familyId).execute();
  const others = open.filter(
    ({ currency, stripeSessionId, createdAt }) =>
      currency === request.currency &&
      (stripeSessionId !== null || now.getTime() - createdAt.getTime() < ABANDONED_AFTER_MS),
  );
  if (others.some(({ state }) => state === 'pending')) {
    throw new AppError(
      'conflict',
      "A payment is already being processed. Please wait until it's confirmed.",
    );
  }
  if (others.length > 0) {
    throw new AppError(
      'conflict',
      'The card payment page is already opening in another window. Please continue there.',
    );
  }
}

const ABANDONED_AFTER_MS = 60_000;

/** If no webhook has arrived by then, the reconciliation job reads the checkout from the provider. */
const RECHECK_AFTER_MS = 15 * 60_000;

/** Expires the family's open checkouts and reads them from the provider, because one may have been paid in the meantime. */
export async function expireOpenCheckouts(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<void> {
  const [open] = await context.db.tutorRead(tutorId, (tx) => [
    openCheckouts(tx, tutorId, familyId),
  ]);
  for (const { accountId, stripeSessionId, state } of open) {
    if (stripeSessionId === null) continue;
    if (state === 'open') await getProvider(context).expireCheckout(accountId, stripeSessionId);
    await syncCheckout(context, tutorId, accountId, stripeSessionId);
  }
}
