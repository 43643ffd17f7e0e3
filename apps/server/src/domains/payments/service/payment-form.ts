import type { Currency } from '@lessonbook/contract/money';
import type { OpenCharge, PaymentFormData } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { readTimeZone } from '../../accounts/service/profile/profile.ts';
import { balancesOf, childrenOfFamilies, familyById } from '../queries/families.ts';
import { type ChargeView, openChargesOfFamily } from '../queries/ledger.ts';
import { lessonCurrency, type PaymentOrigin, resolvePayer } from '../queries/payment-form.ts';
import { lastManualPayment } from '../queries/payment-views.ts';
import { likelyCurrency, toBalance } from '../rules/balance.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { familyNotFound, toTransferClaim } from './families.ts';

/** Whatever the tutor came from, the payment is the payer's: prefilled with all that is open, the wanted lessons named. */
export async function readPaymentForm(
  context: Context,
  tutorId: string,
  from: PaymentOrigin,
): Promise<PaymentFormData> {
  const timeZone = await readTimeZone(context, tutorId);
  const [[behind]] = await context.db.tutorRead(tutorId, (tx) => [resolvePayer(tx, tutorId, from)]);
  const familyId = behind?.familyId;
  if (!familyId) throw from.familyId ? familyNotFound() : payerNotFound();
  const [[family], children, balances, charges, [last], [lesson]] = await context.db.tutorRead(
    tutorId,
    (tx) => [
      familyById(tx, tutorId, familyId),
      childrenOfFamilies(tx, tutorId).where('families.id', '=', familyId),
      balancesOf(tx, tutorId, familyId),
      openChargesOfFamily(tx, tutorId, familyId),
      lastManualPayment(tx, tutorId, familyId),
      lessonCurrency(tx, tutorId, familyId),
    ],
  );
  if (!family) throw familyNotFound();
  const named = charges.filter((charge) => isPreselected(charge, from));
  return {
    familyId,
    familyName: family.name,
    students: children.map((child) => child.name),
    today: dateInZone(timeZone, context.clock.now()),
    lastMethod: (last?.method ?? null) as PaymentFormData['lastMethod'],
    currency: (named[0]?.currency as Currency) ?? likelyCurrency(balances, last, lesson),
    balances: balances.map(toBalance),
    charges: charges.map(toOpenCharge),
    preselectedChargeIds: named.map((charge) => charge.id),
    claim: toTransferClaim(family, balances, timeZone),
  };
}

const payerNotFound = (): AppError => new AppError('not_found', 'That is not in your book.');

const isPreselected = (charge: ChargeView, from: PaymentOrigin): boolean =>
  (from.sessionId !== undefined && charge.sessionId === from.sessionId) ||
  (from.sessionId === undefined &&
    ((from.lessonId !== undefined && charge.lessonId === from.lessonId) ||
      (from.studentId !== undefined && charge.studentId === from.studentId)));

export const toOpenCharge = (view: ChargeView): OpenCharge => ({
  id: view.id,
  sessionId: view.sessionId,
  lessonId: view.lessonId,
  studentName: view.studentName,
  description: formatEntryLabel(view),
  date: view.date,
  dueDate: view.date,
  currency: view.currency as Currency,
  amount: view.amount - view.credited,
  outstanding: view.outstanding,
});
