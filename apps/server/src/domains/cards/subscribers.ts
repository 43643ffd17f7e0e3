import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { CARD_REFUND_JOB, EXPIRE_CHECKOUTS_JOB } from './job-types.ts';
import { openCheckouts, updateCheckout } from './queries/checkouts.ts';

export async function onRefundRequested(
  context: Context,
  tx: Tx,
  request: { tutorId: string; requestId: number },
): Promise<void> {
  await context.queue.enqueue(tx, CARD_REFUND_JOB, request);
}

/**
 * Expires open checkouts, which may now be for too much. A checkout without a session is still being created:
 * startCheckout sees its state and expires the session itself.
 */
export async function onAmountOwedReduced(
  context: Context,
  tx: Tx,
  { tutorId, familyIds }: { tutorId: string; familyIds: readonly number[] },
): Promise<void> {
  const all = await openCheckouts(tx, tutorId).execute();
  const open = all.filter(
    ({ state, familyId }) => state === 'open' && familyIds.includes(familyId),
  );
  for (const { id, stripeSessionId } of open) {
    if (stripeSessionId === null) await updateCheckout(tx, tutorId, id, { state: 'expired' });
  }
  const withSession = open.filter(({ stripeSessionId }) => stripeSessionId !== null);
  for (const familyId of new Set(withSession.map((checkout) => checkout.familyId))) {
    await context.queue.enqueue(tx, EXPIRE_CHECKOUTS_JOB, { tutorId, familyId });
  }
}
