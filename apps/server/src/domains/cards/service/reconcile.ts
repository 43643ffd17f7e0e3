import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  CardAccountLost,
  CardsRefused,
  CardsUnavailable,
} from '../../../integrations/card-provider.ts';
import { claimDue, completeWork, lockSchedule } from '../../../platform/queue/tenant-schedule.ts';
import { cardAccountOf } from '../queries/accounts.ts';
import { openCheckouts } from '../queries/checkouts.ts';
import { CARD_RECONCILE_WORK, refreshAccount } from './account.ts';
import { getProvider } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

const BATCH_SIZE = 20;
/** The provider repeats an event for three days; a day more, and nothing can fall between two looks. */
const LOOKBACK_DAYS = 4;
const RECHECK_AFTER_MS = 15 * 60_000;

/** The tutors whose turn it is, one after the other. What cannot be asked now is asked again later. */
export async function reconcileDueTutors(context: Context): Promise<void> {
  const { db, clock } = context;
  if (!context.cards) return;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, CARD_RECONCILE_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due) await reconcile(context, tutorId);
  }
}

/** Compares the book with the provider's, and repairs it. Gives how many checkouts had to be repaired. */
export async function reconcile(context: Context, tutorId: string): Promise<number> {
  let repaired = 0;
  try {
    await refreshAccount(context, tutorId);
    for (const { accountId, sessionId } of await checkoutsToCompare(context, tutorId)) {
      if (await syncCheckout(context, tutorId, accountId, sessionId)) repaired += 1;
    }
  } catch (error) {
    const passing =
      error instanceof CardsUnavailable ||
      error instanceof CardsRefused ||
      error instanceof CardAccountLost;
    if (!passing) throw error;
    context.log.warn({ err: error }, 'the card provider could not be compared with');
  }
  if (repaired > 0) context.log.warn({ repaired }, 'card payments were repaired from the provider');
  await scheduleNextReconcile(context, tutorId);
  return repaired;
}

async function checkoutsToCompare(
  context: Context,
  tutorId: string,
): Promise<{ accountId: string; sessionId: string }[]> {
  const [[account], open] = await context.db.tutorRead(tutorId, (tx) => [
    cardAccountOf(tx, tutorId),
    openCheckouts(tx, tutorId),
  ]);
  const found = new Map<string, string>();
  for (const { accountId, sessionId } of open) {
    if (sessionId !== null) found.set(sessionId, accountId);
  }
  if (account?.accountId) {
    const { accountId } = account;
    const since = addDays(context.clock.now(), -LOOKBACK_DAYS);
    for await (const sessionId of getProvider(context).listSessionsChangedSince(accountId, since)) {
      found.set(sessionId, accountId);
    }
  }
  return [...found].map(([sessionId, accountId]) => ({ sessionId, accountId }));
}

/** Soon again while something is undecided, otherwise tomorrow. */
async function scheduleNextReconcile(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockSchedule(tx, tutorId, CARD_RECONCILE_WORK);
    const open = await openCheckouts(tx, tutorId).execute();
    const next = open.length > 0 ? new Date(now.getTime() + RECHECK_AFTER_MS) : addDays(now, 1);
    await completeWork(tx, tutorId, CARD_RECONCILE_WORK, next);
  });
}
