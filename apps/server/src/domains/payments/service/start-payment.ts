import type { Currency } from '@lessonbook/contract/money';
import type { OpenCharge, PaymentStart } from '@lessonbook/contract/payments';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import { balancesOf, childrenOfFamilies, familyById } from '../queries/families.ts';
import { type ChargeView, openChargesOfFamily } from '../queries/ledger.ts';
import { lastManualPayment } from '../queries/payment-views.ts';
import { familyBehind, lessonCurrency, type Starting } from '../queries/starting.ts';
import { asBalance, likelyCurrency } from '../rules/balance.ts';
import { describeEntry } from '../rules/describe.ts';
import { claimOf, noSuchFamily } from './families.ts';

/** Whatever the tutor came from, the payment is the payer's: prefilled with all that is open, the wanted lessons named. */
export async function startPayment(
  context: Context,
  tutorId: string,
  from: Starting,
): Promise<PaymentStart> {
  const timeZone = await readTimeZone(context, tutorId);
  const [[behind]] = await context.db.readTutor(tutorId, (tx) => [familyBehind(tx, tutorId, from)]);
  const familyId = behind?.familyId;
  if (!familyId) throw from.familyId ? noSuchFamily() : nothingBehind();
  const [[family], children, balances, charges, [last], [lesson]] = await context.db.readTutor(
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
  if (!family) throw noSuchFamily();
  const named = charges.filter((charge) => isNamed(charge, from));
  return {
    familyId,
    familyName: family.name,
    students: children.map((child) => child.name),
    today: dateIn(timeZone, context.clock.now()),
    lastMethod: (last?.method ?? null) as PaymentStart['lastMethod'],
    currency: (named[0]?.currency as Currency) ?? likelyCurrency(balances, last, lesson),
    balances: balances.map(asBalance),
    charges: charges.map(asOpenCharge),
    named: named.map((charge) => charge.id),
    claim: claimOf(family, balances, timeZone),
  };
}

const nothingBehind = (): AppError => new AppError('not_found', 'That is not in your book.');

const isNamed = (charge: ChargeView, from: Starting): boolean =>
  (from.sessionId !== undefined && charge.sessionId === from.sessionId) ||
  (from.sessionId === undefined &&
    ((from.lessonId !== undefined && charge.lessonId === from.lessonId) ||
      (from.studentId !== undefined && charge.studentId === from.studentId)));

export const asOpenCharge = (view: ChargeView): OpenCharge => ({
  id: view.id,
  sessionId: view.sessionId,
  lessonId: view.lessonId,
  studentName: view.studentName,
  description: describeEntry(view),
  date: view.date,
  dueDate: view.date,
  currency: view.currency as Currency,
  amount: view.amount - view.credited,
  outstanding: view.outstanding,
});
