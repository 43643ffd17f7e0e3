import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { getTimeZone } from '../../accounts/service/profile/profile.ts';
import { allocationsOfCharge, recomputeCharges } from '../queries/allocations.ts';
import {
  type Charge,
  chargeableSessions,
  chargesOfSessions,
  insertChargeReversal,
  insertCharges,
  markChargeReversed,
  moveChargesToSession,
  type NewCharge,
  setInvoiceId,
} from '../queries/charges.ts';
import { release } from '../rules/allocate.ts';
import { type Account, allocatePayments, writeAllocations } from './allocate-payments.ts';
import { getOrCreateFamily } from './payer-accounts.ts';

export { type Charge, chargesOfSessions, findCharges } from '../queries/charges.ts';
/** What an entry is called, for the domains above. */
export { formatEntryLabel } from '../rules/entry-label.ts';

/** Who wrote an entry: the tutor, by ticking off, cancelling or reopening. */
export const TUTOR = 'tutor';

/** A taught lesson is owed from its day on; a free one makes no charge, and one that was invoiced ahead no second. */
export async function chargeCompletedSessions(
  context: Context,
  tx: Tx,
  { tutorId, sessionIds }: { tutorId: string; sessionIds: number[] },
): Promise<void> {
  await chargeSessions(context, tx, tutorId, sessionIds, { kind: 'lesson' });
}

export async function chargeCancellationFee(
  context: Context,
  tx: Tx,
  { tutorId, sessionId, fee }: { tutorId: string; sessionId: number; fee: number },
): Promise<void> {
  await chargeSessions(context, tx, tutorId, [sessionId], { kind: 'cancellation', fee });
}

async function chargeSessions(
  context: Context,
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  what: { kind: 'lesson' | 'cancellation'; fee?: number },
): Promise<void> {
  const planned = await planCharges(context, tx, tutorId, sessionIds, what);
  await addCharges(tx, tutorId, planned, context.clock.now());
}

export type PlannedCharge = Omit<NewCharge, 'id'>;

/** The charges of those sessions that have none yet. */
export async function planCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  sessionIds: readonly number[],
  what: { kind: 'lesson' | 'cancellation'; fee?: number },
): Promise<PlannedCharge[]> {
  const now = context.clock.now();
  const known = await chargesOfSessions(tx, tutorId, sessionIds);
  const charged = new Set(known.map((charge) => charge.sessionId));
  const planned: PlannedCharge[] = [];
  for (const session of await chargeableSessions(tx, tutorId, sessionIds)) {
    const amount = what.fee ?? session.fee;
    if (amount === null || charged.has(session.sessionId)) continue;
    planned.push({
      familyId: await getOrCreateFamily(tx, tutorId, session, now),
      studentId: session.studentId,
      sessionId: session.sessionId,
      kind: what.kind,
      description: null,
      amount,
      currency: session.currency,
      dueDate: session.date,
      invoiceId: null,
      author: TUTOR,
      now,
    });
  }
  return planned;
}

/** Adds charges, all of them before credit pays the oldest due; gives their ids in the same order. */
export async function addCharges(
  tx: Tx,
  tutorId: string,
  planned: readonly PlannedCharge[],
  now: Date,
): Promise<number[]> {
  if (planned.length === 0) return [];
  const ids = await nextIds(tx, tutorId, 'charge', planned.length);
  await insertCharges(
    tx,
    tutorId,
    planned.map((charge, index) => ({ ...charge, id: ids[index] as number })),
  );
  for (const account of distinctAccounts(planned))
    await allocatePayments(tx, tutorId, account, now);
  return ids;
}

/** Each account once. */
export function distinctAccounts(entries: readonly Account[]): Account[] {
  const accounts = entries.map(
    ({ familyId, currency }) => [`${familyId} ${currency}`, { familyId, currency }] as const,
  );
  return [...new Map(accounts).values()];
}

/** Reopening takes the charge back by an entry of its own; an issued invoice stands in the way. */
export async function reverseSessionCharge(
  context: Context,
  tx: Tx,
  { tutorId, sessionId }: { tutorId: string; sessionId: number },
): Promise<void> {
  for (const charge of await chargesOfSessions(tx, tutorId, [sessionId])) {
    if (charge.invoiceId !== null) {
      throw new AppError(
        'conflict',
        'This lesson is on an invoice. Make a credit note for it first, then reopen it.',
      );
    }
    await reverseCharge(context, tx, tutorId, charge, { kind: 'reversal', amount: charge.amount });
  }
}

/**
 * Takes back all or part of a charge. What was paid for the part that is gone becomes free again, the latest money first,
 * and pays whatever else is open.
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
  const [id] = (await nextIds(tx, tutorId, 'charge')) as [number];
  await insertChargeReversal(tx, tutorId, charge, {
    ...entry,
    id,
    invoiceId: entry.invoiceId ?? null,
    // A reversal stands beside what it takes back; a credit note has a day of its own.
    date:
      entry.kind === 'reversal' ? charge.dueDate : dateInZone(await getTimeZone(tx, tutorId), now),
    author: TUTOR,
    now,
  });
  await markChargeReversed(tx, tutorId, charge.id, { credited, reversed });
  const paid = await allocationsOfCharge(tx, tutorId, charge.id);
  const worth = reversed ? 0 : charge.amount - credited;
  const over = paid.reduce((sum, allocation) => sum + allocation.amount, 0) - worth;
  await writeAllocations(tx, tutorId, release(paid, Math.max(0, over)), now);
  await recomputeCharges(tx, tutorId, [charge.id]);
  await allocatePayments(tx, tutorId, charge, now);
}

/** Said by the invoice that is issued or voided. */
export const assignToInvoice = setInvoiceId;

/** The charge follows its session to the new time: paid once, however often it is moved. */
export async function moveChargeToSession(
  _context: Context,
  tx: Tx,
  { tutorId, fromId, toId }: { tutorId: string; fromId: number; toId: number },
): Promise<void> {
  await moveChargesToSession(tx, tutorId, fromId, toId);
}
