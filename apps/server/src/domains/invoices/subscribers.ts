import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type SeatRef, seatKey } from '../lessons/events.ts';
import { chargesForSeats, getShares, remainingAmount } from '../payments/service/charges.ts';
import { createCreditNote } from './service/void-and-credit.ts';

interface SeatsEvent {
  tutorId: string;
  seats: readonly SeatRef[];
}

/** Credits charges invoiced in advance for seats that are no longer billable. */
export const creditPrepaidCharges = (context: Context, tx: Tx, event: SeatsEvent): Promise<void> =>
  creditInvoicedCharges(context, tx, event, 'Lesson cancelled');

/** Credits the fees of cancellations that the tutor decided not to charge. */
export const creditWaivedFees = (context: Context, tx: Tx, event: SeatsEvent): Promise<void> =>
  creditInvoicedCharges(context, tx, event, 'Cancellation fee waived');

/** Creates one credit note for each invoice. */
async function creditInvoicedCharges(
  context: Context,
  tx: Tx,
  { tutorId, seats }: SeatsEvent,
  reason: string,
): Promise<void> {
  const charges = await chargesForSeats(tx, tutorId, seats);
  const invoiced = charges.filter((charge) => charge.invoiceId !== null);
  for (const [invoiceId, onInvoice] of Map.groupBy(invoiced, (charge) => charge.invoiceId)) {
    await createCreditNote(context, tx, tutorId, invoiceId as number, {
      lines: onInvoice.map((charge) => ({
        chargeId: charge.id,
        amount: remainingAmount(charge),
      })),
      reason,
    });
  }
}

/** After a late cancellation, each payer's share of the fee stays on their invoice and the rest is credited. */
export async function creditPrepaidDifference(
  context: Context,
  tx: Tx,
  { tutorId, seats }: { tutorId: string; seats: readonly (SeatRef & { fee: number })[] },
): Promise<void> {
  const shares = await getShares(tx, tutorId, seats);
  for (const charge of await chargesForSeats(tx, tutorId, seats)) {
    const share = shares.get(seatKey(charge))?.get(charge.familyId) ?? 0;
    const amount = remainingAmount(charge) - share;
    if (charge.invoiceId === null || amount <= 0) continue;
    await createCreditNote(context, tx, tutorId, charge.invoiceId, {
      lines: [{ chargeId: charge.id, amount }],
      reason: 'Lesson cancelled late',
    });
  }
}
