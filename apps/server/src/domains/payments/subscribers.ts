import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ReopenRefusedError } from '../lessons/events.ts';
import { chargesForSessions, moveChargesToSession } from './queries/charges.ts';
import { payerForStudent } from './queries/families.ts';
import { addCharges, planCharges, reverseCharges } from './service/charges.ts';
import { getOrCreateFamilies } from './service/get-or-create-families.ts';

/** Creates the payer's account, so that payments can be recorded before the first lesson. */
export async function onStudentSaved(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const student = await payerForStudent(tx, tutorId, studentId);
  if (student) await getOrCreateFamilies(tx, tutorId, [student], context.clock.now());
}

/** Skips free sessions and sessions invoiced in advance. */
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
  options: { kind: 'lesson' | 'cancellation'; fee?: number },
): Promise<void> {
  const planned = await planCharges(context, tx, tutorId, sessionIds, options);
  await addCharges(tx, tutorId, planned, context.clock.now());
}

/** Reverses the charges for reopened sessions. Throws if one of them is on an invoice. */
export async function reverseSessionCharges(
  context: Context,
  tx: Tx,
  { tutorId, sessionIds }: { tutorId: string; sessionIds: number[] },
): Promise<void> {
  const charges = await chargesForSessions(tx, tutorId, sessionIds);
  const invoiced = charges.find((charge) => charge.invoiceId !== null);
  if (invoiced) {
    throw new ReopenRefusedError(
      invoiced.sessionId as number,
      'This lesson is on an invoice. Make a credit note for it first, then reopen it.',
    );
  }
  const reversals = charges.map((charge) => ({ charge, amount: charge.amount }));
  await reverseCharges(context, tx, tutorId, reversals, { kind: 'reversal' });
}

/** Moves the charge to the new session after a reschedule, so that the lesson is charged only once. */
export async function moveChargeToSession(
  _context: Context,
  tx: Tx,
  { tutorId, fromId, toId }: { tutorId: string; fromId: number; toId: number },
): Promise<void> {
  await moveChargesToSession(tx, tutorId, fromId, toId);
}
