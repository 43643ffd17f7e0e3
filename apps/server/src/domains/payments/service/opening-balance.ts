import type { OpeningBalanceInput } from '@lessonbook/contract/families';
import type { Balance } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { amountOwedReduced } from '../events.ts';
import { findCharges } from '../queries/charges.ts';
import { familyBalances } from '../queries/family-balances.ts';
import { toBalance } from '../rules/balances-and-suggested-currency.ts';
import { allocatePayments } from './allocate-payments.ts';
import { assertFamilyExists } from './assert-family-or-payment-exists.ts';
import { addCharges, CREATED_BY_TUTOR, remainingAmount, reverseCharges } from './charges.ts';
import { addPaymentEntry } from './payment-ledger.ts';

/** Records an earlier debt as a charge, or a credit as a payment. Both count towards the balance but not in reports. */
export async function setOpeningBalance(
  context: Context,
  tutorId: string,
  familyId: number,
  input: OpeningBalanceInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<Balance[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await assertFamilyExists(tx, tutorId, familyId);
      await setOpeningBalanceInTx(context, tx, tutorId, familyId, input);
      return readBalances(tx, tutorId, familyId);
    }),
  );
}

export async function setOpeningBalanceInTx(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
  { amount, currency, date }: OpeningBalanceInput,
): Promise<void> {
  const now = context.clock.now();
  const entry = { familyId, currency, createdBy: CREATED_BY_TUTOR, now };
  if (amount > 0) {
    const opening = { kind: 'opening' as const, description: null, amount, dueDate: date };
    const unlinked = { studentId: null, sessionId: null, payersDate: null, invoiceId: null };
    await addCharges(tx, tutorId, [{ ...entry, ...opening, ...unlinked }], now);
    return;
  }
  const opening = { kind: 'payment', method: 'opening', amount: -amount } as const;
  await addPaymentEntry(tx, tutorId, { ...entry, ...opening, paidOn: date });
  await allocatePayments(tx, tutorId, [{ familyId, currency }], now);
  await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds: [familyId] });
}

/** Only for opening balances. Other charges are reversed by reopening the session or crediting the invoice. */
export async function reverseOpeningBalance(
  context: Context,
  tutorId: string,
  familyId: number,
  chargeId: number,
  idempotencyKey: IdempotencyKey | null,
): Promise<Balance[]> {
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, context.clock.now(), async () => {
      const [charge] = await findCharges(tx, tutorId, [chargeId]);
      if (charge?.familyId !== familyId) {
        throw new AppError('not_found', "That charge isn't on this account.");
      }
      if (charge.kind !== 'opening' || charge.reversed) {
        throw new AppError(
          'conflict',
          charge.kind === 'opening'
            ? 'This opening balance has already been reversed.'
            : 'Only an opening balance can be reversed here.',
        );
      }
      const reversal = { charge, amount: remainingAmount(charge) };
      await reverseCharges(context, tx, tutorId, [reversal], { kind: 'reversal' });
      return readBalances(tx, tutorId, familyId);
    }),
  );
}

async function readBalances(tx: Tx, tutorId: string, familyId: number): Promise<Balance[]> {
  return (await familyBalances(tx, tutorId, [familyId]).execute()).map(toBalance);
}
