import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { allocationsForCharges, recomputeCharges } from '../queries/allocations.ts';
import {
  type Charge,
  chargeableSessions,
  chargesForSessions,
  insertChargeReversals,
  insertCharges,
  type NewCharge,
  setInvoiceIds,
  updateCreditedAndReversed,
} from '../queries/charges.ts';
import { releaseAmount } from '../rules/allocate.ts';
import { allocatePayments, writeAllocations } from './allocate-payments.ts';
import { getOrCreateFamilies } from './get-or-create-families.ts';

export { type Charge, chargesForSessions, findCharges } from '../queries/charges.ts';
export { formatEntryLabel } from '../rules/entry-label.ts';

/** Value of created_by for entries that result from a tutor's action. */
export const CREATED_BY_TUTOR = 'tutor';

export type PlannedCharge = Omit<NewCharge, 'id'>;

/** Plans charges for the sessions that have a fee and have not been charged yet. */
export async function planCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  options: { kind: 'lesson' | 'cancellation'; fee?: number },
): Promise<PlannedCharge[]> {
  const now = context.clock.now();
  const existing = await chargesForSessions(tx, tutorId, sessionIds);
  const chargedIds = new Set(existing.map((charge) => charge.sessionId));
  const sessions = (await chargeableSessions(tx, tutorId, sessionIds)).flatMap((session) => {
    const amount = options.fee ?? session.fee;
    return amount === null || chargedIds.has(session.sessionId) ? [] : [{ ...session, amount }];
  });
  const familyIds = await getOrCreateFamilies(tx, tutorId, sessions, now);
  return sessions.map((session, index) => ({
    familyId: familyIds[index] as number,
    studentId: session.studentId,
    sessionId: session.sessionId,
    kind: options.kind,
    description: null,
    amount: session.amount,
    currency: session.currency,
    dueDate: session.date,
    invoiceId: null,
    createdBy: CREATED_BY_TUTOR,
    now,
  }));
}

/** Adds all charges before allocating credit, so that credit pays the oldest first. Returns the ids in order. */
export async function addCharges(
  tx: Tx,
  tutorId: string,
  planned: readonly PlannedCharge[],
  now: Date,
): Promise<number[]> {
  if (planned.length === 0) return [];
  const ids = await nextIdsForKind(tx, tutorId, 'charge', planned.length);
  await insertCharges(
    tx,
    tutorId,
    planned.map((charge, index) => ({ ...charge, id: ids[index] as number })),
  );
  await allocatePayments(tx, tutorId, planned, now);
  return ids;
}

/**
 * Reverses all or part of each charge. Payments allocated to the reversed parts are released, latest first, and then used
 * to pay other open charges. The number of statements does not depend on the number of charges.
 */
export async function reverseCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  requests: readonly { charge: Charge; amount: number }[],
  entry: { kind: 'reversal' } | { kind: 'credit_note'; invoiceId: number },
): Promise<void> {
  if (requests.length === 0) return;
  const { kind } = entry;
  const now = context.clock.now();
  const today = dateInZone(await getTimeZone(tx, tutorId), now);
  const ids = await nextIdsForKind(tx, tutorId, 'charge', requests.length);
  const reversals = requests.map(({ charge, amount }, index) => {
    const credited = charge.credited + (kind === 'credit_note' ? amount : 0);
    return {
      id: ids[index] as number,
      charge,
      chargeId: charge.id,
      amount,
      credited,
      reversed: kind === 'reversal' || credited === charge.amount,
      // A reversal has the same date as its charge; a credit note has the current date.
      date: kind === 'reversal' ? charge.dueDate : today,
    };
  });
  const invoiceId = entry.kind === 'credit_note' ? entry.invoiceId : null;
  const created = { kind, invoiceId, createdBy: CREATED_BY_TUTOR, now };
  await insertChargeReversals(tx, tutorId, reversals, created);
  await updateCreditedAndReversed(tx, tutorId, reversals);
  const chargeIds = reversals.map(({ chargeId }) => chargeId);
  const allocations = Map.groupBy(
    await allocationsForCharges(tx, tutorId, chargeIds),
    ({ chargeId }) => chargeId,
  );
  const releases = reversals.flatMap(({ charge, credited, reversed }) => {
    const chargeAllocations = allocations.get(charge.id) ?? [];
    const remaining = reversed ? 0 : charge.amount - credited;
    const excess =
      chargeAllocations.reduce((sum, allocation) => sum + allocation.amount, 0) - remaining;
    return releaseAmount(chargeAllocations, Math.max(0, excess));
  });
  await writeAllocations(tx, tutorId, releases, now);
  await recomputeCharges(tx, tutorId, chargeIds);
  await allocatePayments(
    tx,
    tutorId,
    reversals.map(({ charge }) => charge),
    now,
  );
}

/** Called when an invoice is issued or voided. */
export const setChargesInvoice = setInvoiceIds;
