import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ReopenRefusedError, type SeatRef } from '../lessons/events.ts';
import {
  chargesForSeats,
  moveChargesToSession,
  travelChargesForSessions,
} from './queries/charges.ts';
import { mainContactOf } from './queries/family-accounts.ts';
import {
  addCharges,
  planCharges,
  planTravelCharges,
  remainingAmount,
  reverseCharges,
} from './service/charges.ts';
import { setOnlyPayer } from './service/payers.ts';

/**
 * Makes a new main contact the payer, and creates the family's account, so that payments can be recorded before the first
 * lesson.
 */
export async function onStudentSaved(
  context: Context,
  tx: Tx,
  event: { tutorId: string; studentId: number; hasNewMainContact: boolean },
): Promise<void> {
  const { tutorId, studentId, hasNewMainContact } = event;
  if (!hasNewMainContact) return;
  const main = await mainContactOf(tx, tutorId, studentId);
  if (main) await setOnlyPayer(tx, tutorId, studentId, main.contactId, context.clock.now());
}

/** Skips free seats and seats invoiced in advance. */
export async function chargeCompletedSessions(
  context: Context,
  tx: Tx,
  event: { tutorId: string; seats: readonly SeatRef[]; travelSeats: readonly SeatRef[] },
): Promise<void> {
  const { tutorId, seats, travelSeats } = event;
  const lessons = await planCharges(context, tx, tutorId, seats, 'lesson');
  const travel = await planTravelCharges(context, tx, tutorId, travelSeats);
  await addCharges(tx, tutorId, [...lessons, ...travel], context.clock.now());
}

export async function chargeCancellationFees(
  context: Context,
  tx: Tx,
  { tutorId, seats }: { tutorId: string; seats: readonly (SeatRef & { fee: number })[] },
): Promise<void> {
  const planned = await planCharges(context, tx, tutorId, seats, 'cancellation');
  await addCharges(tx, tutorId, planned, context.clock.now());
}

/**
 * Reverses the charges for reopened seats. Throws if one of them is on an invoice. Travel is charged only for completed
 * sessions, which are always reopened as a whole, so all travel charges of the sessions are reversed too.
 */
export async function reverseSeatCharges(
  context: Context,
  tx: Tx,
  { tutorId, seats }: { tutorId: string; seats: readonly SeatRef[] },
): Promise<void> {
  const sessionIds = [...new Set(seats.map(({ sessionId }) => sessionId))];
  const charges = [
    ...(await chargesForSeats(tx, tutorId, seats)),
    ...(await travelChargesForSessions(tx, tutorId, sessionIds)),
  ];
  const invoiced = charges.find((charge) => charge.invoiceId !== null);
  if (invoiced) {
    throw new ReopenRefusedError(
      invoiced.sessionId as number,
      'This lesson is on an invoice. Create a credit note for it first, then reopen it.',
    );
  }
  const reversals = charges.map((charge) => ({ charge, amount: remainingAmount(charge) }));
  await reverseCharges(context, tx, tutorId, reversals, { kind: 'reversal' });
}

/** Charges on an invoice are skipped here: the invoices domain credits them (creditWaivedFees). */
export async function reverseChargesForWaivedFees(
  context: Context,
  tx: Tx,
  { tutorId, seats }: { tutorId: string; seats: readonly SeatRef[] },
): Promise<void> {
  const charges = await chargesForSeats(tx, tutorId, seats);
  const reversals = charges
    .filter(({ invoiceId }) => invoiceId === null)
    .map((charge) => ({ charge, amount: remainingAmount(charge) }));
  await reverseCharges(context, tx, tutorId, reversals, { kind: 'reversal' });
}

/** Moves the charges to the new session after a reschedule, so that the lesson is charged only once. */
export async function moveChargeToSession(
  _context: Context,
  tx: Tx,
  { tutorId, fromId, toId }: { tutorId: string; fromId: number; toId: number },
): Promise<void> {
  await moveChargesToSession(tx, tutorId, fromId, toId);
}
