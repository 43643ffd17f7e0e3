import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  CardAccountAccessError,
  CardProviderUnavailableError,
  CardRequestRejectedError,
} from '../../../integrations/card-provider.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../platform/queue/tenant-schedule.ts';
import { CARD_RECONCILE_WORK } from '../job-types.ts';
import { cardAccountByTutor } from '../queries/accounts.ts';
import { openCheckouts } from '../queries/checkouts.ts';
import { refreshAccount } from './account.ts';
import { getProvider } from './provider-errors.ts';
import { syncCheckout } from './sync-checkout.ts';

/** The provider retries an event for three days; the extra day leaves no gap between two runs. */
const LOOKBACK_DAYS = 4;
const RECHECK_AFTER_MS = 15 * 60_000;

/** Reconciles the tutors that are due, one by one. If an account cannot be read, it is retried later. */
export async function reconcileDueTutors(context: Context): Promise<void> {
  if (!context.cards) return;
  await forEachDueTutor(context, CARD_RECONCILE_WORK, (tutorId) => reconcile(context, tutorId));
}

/** Updates our checkouts from the provider. Returns the number that were out of date. */
export async function reconcile(context: Context, tutorId: string): Promise<number> {
  let updated = 0;
  try {
    await refreshAccount(context, tutorId);
    for (const { accountId, stripeSessionId } of await findCheckoutsToCompare(context, tutorId)) {
      if (await syncCheckout(context, tutorId, accountId, stripeSessionId)) updated += 1;
    }
  } catch (error) {
    const isProviderError =
      error instanceof CardProviderUnavailableError ||
      error instanceof CardRequestRejectedError ||
      error instanceof CardAccountAccessError;
    if (!isProviderError) throw error;
    context.log.warn({ err: error }, 'card reconciliation failed');
  }
  if (updated > 0)
    context.log.warn({ updated }, 'reconciliation updated checkouts that were out of date');
  await scheduleNextReconcile(context, tutorId);
  return updated;
}

async function findCheckoutsToCompare(
  context: Context,
  tutorId: string,
): Promise<{ accountId: string; stripeSessionId: string }[]> {
  const [[account], open] = await context.db.tutorRead(tutorId, (tx) => [
    cardAccountByTutor(tx, tutorId),
    openCheckouts(tx, tutorId),
  ]);
  const accountBySession = new Map<string, string>();
  for (const { accountId, stripeSessionId } of open) {
    if (stripeSessionId !== null) accountBySession.set(stripeSessionId, accountId);
  }
  if (account?.accountId) {
    const { accountId } = account;
    const since = add24HourDays(context.clock.now(), -LOOKBACK_DAYS);
    const changed = getProvider(context).listSessionsChangedSince(accountId, since);
    for await (const stripeSessionId of changed) accountBySession.set(stripeSessionId, accountId);
  }
  return [...accountBySession].map(([stripeSessionId, accountId]) => ({
    stripeSessionId,
    accountId,
  }));
}

/** Schedules the next run in 15 minutes if a checkout is open or pending, otherwise in a day. */
async function scheduleNextReconcile(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, CARD_RECONCILE_WORK);
    const open = await openCheckouts(tx, tutorId).execute();
    const next =
      open.length > 0 ? new Date(now.getTime() + RECHECK_AFTER_MS) : add24HourDays(now, 1);
    await completeWork(tx, tutorId, CARD_RECONCILE_WORK, next);
  });
}
