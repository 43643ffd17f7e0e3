import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CardReversal } from '../../../integrations/card-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import {
  findRefundRequestByPublicId,
  hasReopenedCharges,
  recordCardRefund,
  reverseCardRefund,
  setRefundRequestState,
} from '../../payments/service/card-ledger.ts';
import { type CardReversalChange, cardReversalChanged } from '../events.ts';
import {
  type Checkout,
  findReversals,
  type RecordedReversal,
  type ReversalState,
  saveReversal,
} from '../queries/checkouts.ts';

type PaidCheckout = Checkout & { paymentId: number };

export interface CheckoutTx {
  context: Context;
  tx: Tx;
  tutorId: string;
  timeZone: string;
  now: Date;
}

export async function applyReversals(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversals: readonly CardReversal[],
): Promise<boolean> {
  const { tx, tutorId } = checkoutTx;
  const known = await findReversals(tx, tutorId, checkout.id);
  let hasChanges = false;
  // Process failed refunds and won disputes first: they restore money that another reversal may need.
  for (const reversal of reversals.toSorted((a, b) => Number(a.isActive) - Number(b.isActive))) {
    const recorded = await applyReversal(checkoutTx, checkout, reversal, known.get(reversal.id));
    if (recorded === null) continue;
    await saveReversal(tx, tutorId, {
      vendorId: reversal.id,
      checkoutId: checkout.id,
      kind: reversal.kind,
      ...recorded,
    });
    hasChanges = true;
  }
  return hasChanges;
}

/** Returns null if nothing has changed. */
async function applyReversal(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversal: CardReversal,
  known: RecordedReversal | undefined,
): Promise<RecordedReversal | null> {
  const entryId = known?.state === 'undone' ? null : (known?.paymentId ?? null);
  if (reversal.isActive && entryId === null)
    return recordReversal(checkoutTx, checkout, reversal, known);
  if (entryId === null) return null;
  if (!reversal.isActive) return undoReversal(checkoutTx, checkout, reversal, entryId);
  const isLost = known?.state === 'disputed' && !reversal.isPending;
  if (!isLost) return null;
  const state = await stateOfReopenedCharges(checkoutTx, entryId);
  await publishReversalChange(checkoutTx, checkout, reversal, 'dispute lost', state);
  return { paymentId: entryId, state };
}

/** The tutor is asked about reopened charges; if there are none, there is nothing to decide. */
const stateOfReopenedCharges = async (
  { tx, tutorId }: CheckoutTx,
  entryId: number | null,
): Promise<ReversalState> =>
  entryId !== null && (await hasReopenedCharges(tx, tutorId, entryId)) ? 'undecided' : 'settled';

async function recordReversal(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversal: CardReversal,
  known: RecordedReversal | undefined,
): Promise<RecordedReversal | null> {
  const { context, tx, tutorId, now } = checkoutTx;
  const request = reversal.requestId
    ? await findRefundRequestByPublicId(tx, tutorId, reversal.requestId)
    : undefined;
  const { entryId, amount } = await recordCardRefund(tx, tutorId, checkout.paymentId, {
    amount: reversal.amount,
    paidOn: dateInZone(checkoutTx.timeZone, reversal.at),
    note: request?.note ?? null,
    now,
  });
  // Another reversal has already returned the whole payment, and this one has already been recorded.
  if (entryId === null && known) return null;
  if (request) await setRefundRequestState(tx, tutorId, request.id, 'done');
  if (amount !== reversal.amount) {
    context.log.warn(
      { reversal: reversal.id },
      'card reversal exceeds the remaining amount of its payment',
    );
  }
  // The tutor decided about the charges when requesting the refund.
  const state = reversal.isPending
    ? 'disputed'
    : request
      ? 'settled'
      : await stateOfReopenedCharges(checkoutTx, entryId);
  const change = changeOf(reversal, request !== undefined);
  await publishReversalChange(checkoutTx, checkout, reversal, change, state);
  return { paymentId: entryId, state };
}

function changeOf({ kind, isPending }: CardReversal, wasRequested: boolean): CardReversalChange {
  if (kind === 'dispute') return isPending ? 'disputed' : 'dispute lost';
  return wasRequested ? 'refunded' : 'refunded at provider';
}

async function undoReversal(
  checkoutTx: CheckoutTx,
  checkout: PaidCheckout,
  reversal: CardReversal,
  entryId: number,
): Promise<RecordedReversal> {
  const { tx, tutorId, now } = checkoutTx;
  await reverseCardRefund(tx, tutorId, entryId, now);
  const request = reversal.requestId
    ? await findRefundRequestByPublicId(tx, tutorId, reversal.requestId)
    : undefined;
  if (request) await setRefundRequestState(tx, tutorId, request.id, 'failed');
  const change = reversal.kind === 'refund' ? 'refund failed' : 'dispute won';
  await publishReversalChange(checkoutTx, checkout, reversal, change, 'undone');
  return { paymentId: entryId, state: 'undone' };
}

async function publishReversalChange(
  { context, tx, tutorId }: CheckoutTx,
  { paymentId, familyId, currency }: PaidCheckout,
  { id, amount }: CardReversal,
  change: CardReversalChange,
  state: ReversalState,
): Promise<void> {
  await context.events.publish(tx, cardReversalChanged, {
    tutorId,
    change,
    familyId,
    paymentId,
    amount,
    currency,
    needsTutorDecision: state === 'undecided',
    dedupeKey: `${change} ${id}`,
  });
}
