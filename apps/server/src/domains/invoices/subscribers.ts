import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Charge, chargesForSessions } from '../payments/service/charges.ts';
import { createCreditNote } from './service/void-and-credit.ts';

/** Credits prepaid sessions that are no longer billable, with one credit note per invoice. */
export async function creditPrepaidSessions(
  context: Context,
  tx: Tx,
  { tutorId, sessionIds }: { tutorId: string; sessionIds: number[] },
): Promise<void> {
  const charges = await chargesForSessions(tx, tutorId, sessionIds);
  const prepaid = charges.filter((charge) => charge.invoiceId !== null);
  for (const [invoiceId, invoicedCharges] of Map.groupBy(prepaid, (charge) => charge.invoiceId)) {
    await createCreditNote(context, tx, tutorId, invoiceId as number, {
      lines: invoicedCharges.map((charge) => ({
        chargeId: charge.id,
        amount: remainingAmount(charge),
      })),
      reason: 'Lesson cancelled',
    });
  }
}

/** After a late cancellation, the cancellation fee stays on the invoice and the rest is credited. */
export async function creditPrepaidDifference(
  context: Context,
  tx: Tx,
  { tutorId, sessionId, fee }: { tutorId: string; sessionId: number; fee: number },
): Promise<void> {
  for (const charge of await chargesForSessions(tx, tutorId, [sessionId])) {
    const amount = remainingAmount(charge) - fee;
    if (charge.invoiceId === null || amount <= 0) continue;
    await createCreditNote(context, tx, tutorId, charge.invoiceId, {
      lines: [{ chargeId: charge.id, amount }],
      reason: 'Lesson cancelled late',
    });
  }
}

const remainingAmount = (charge: Charge): number => charge.amount - charge.credited;
