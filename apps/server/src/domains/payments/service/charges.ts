import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { allocationsForCharge, recomputeCharges } from '../queries/allocations.ts';
import {
  type Charge,
  chargeableSessions,
  chargesForSessions,
  insertChargeReversal,
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
 * Reverses all or part of a charge. Payments allocated to the reversed part are released, latest first, and used to pay
 * other open charges.
 */
export async function reverseCharge(
  context: Context,
  tx: Tx,
  tutorId: string,
  charge: Charge,
  entry: { kind: 'reversal' | 'credit_note'; amount: number; invoiceId?: number },
): Promise<void> {
  const now = context.clock.now();
  const credited = charge.credited + (entry.kind === 'credit_note' ? entry.amount : 0);
  const reversed = entry.kind === 'reversal' || credited === charge.amount;
  const [id] = (await nextIdsForKind(tx, tutorId, 'charge')) as [number];
  await insertChargeReversal(tx, tutorId, charge, {
    ...entry,
    id,
    invoiceId: entry.invoiceId ?? null,
    // A reversal has the same date as its charge; a credit note has the current date.
    date:
      entry.kind === 'reversal' ? charge.dueDate : dateInZone(await getTimeZone(tx, tutorId), now),
    createdBy: CREATED_BY_TUTOR,
    now,
  });
  await updateCreditedAndReversed(tx, tutorId, charge.id, { credited, reversed });
  const allocations = await allocationsForCharge(tx, tutorId, charge.id);
  const remaining = reversed ? 0 : charge.amount - credited;
  const excess = allocations.reduce((sum, allocation) => sum + allocation.amount, 0) - remaining;
  await writeAllocations(tx, tutorId, releaseAmount(allocations, Math.max(0, excess)), now);
  await recomputeCharges(tx, tutorId, [charge.id]);
  await allocatePayments(tx, tutorId, [charge], now);
}

/** Called when an invoice is issued or voided. */
export const setChargesInvoice = setInvoiceIds;
