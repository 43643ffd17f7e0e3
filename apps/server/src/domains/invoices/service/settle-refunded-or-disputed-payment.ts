import type { PaymentDetails } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import { resolveReversals, undecidedCharges } from '../../payments/service/charges.ts';
import { getPayment } from '../../payments/service/read-payments.ts';
import { creditCharges } from './void-and-credit.ts';

/**
 * The tutor says whether the charges that a refund or dispute has reopened are still owed. If not, they are credited. A
 * repeated answer changes nothing.
 */
export async function settleReturnedPayment(
  context: Context,
  tutorId: string,
  paymentId: number,
  stillOwed: boolean,
): Promise<PaymentDetails> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const charges = await undecidedCharges(tx, tutorId, paymentId);
    await resolveReversals(tx, tutorId, paymentId);
    if (!stillOwed) {
      // A credit is applied to the written-off amount first.
      const credits = charges.map(({ chargeId, amount, writtenOff }) => ({
        chargeId,
        amount: amount + writtenOff,
      }));
      await creditCharges(context, tx, tutorId, credits, 'Payment returned');
    }
    return getPayment(tx, tutorId, paymentId);
  });
}
