import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { type Charge, chargesOfSessions } from '../../payments/service/charges.ts';
import { makeCreditNote } from './correct.ts';

/** A lesson that was invoiced ahead and is not to be paid after all is credited, on one note for each invoice. */
export async function creditAhead(
  context: Context,
  tx: Tx,
  { tutorId, sessionIds }: { tutorId: string; sessionIds: number[] },
): Promise<void> {
  const charges = await chargesOfSessions(tx, tutorId, sessionIds);
  const ahead = charges.filter((charge) => charge.invoiceId !== null);
  for (const [invoiceId, onIt] of Map.groupBy(ahead, (charge) => charge.invoiceId)) {
    await makeCreditNote(context, tx, tutorId, invoiceId as number, {
      lines: onIt.map((charge) => ({ chargeId: charge.id, amount: leftOf(charge) })),
      reason: 'Lesson cancelled',
    });
  }
}

/** Cancelled late: the fee stays on the invoice that was sent ahead, the rest is credited. */
export async function creditAheadDifference(
  context: Context,
  tx: Tx,
  { tutorId, sessionId, fee }: { tutorId: string; sessionId: number; fee: number },
): Promise<void> {
  for (const charge of await chargesOfSessions(tx, tutorId, [sessionId])) {
    const amount = leftOf(charge) - fee;
    if (charge.invoiceId === null || amount <= 0) continue;
    await makeCreditNote(context, tx, tutorId, charge.invoiceId, {
      lines: [{ chargeId: charge.id, amount }],
      reason: 'Lesson cancelled late',
    });
  }
}

const leftOf = (charge: Charge): number => charge.amount - charge.credited;
