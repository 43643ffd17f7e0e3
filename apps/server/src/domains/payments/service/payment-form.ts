import type { Currency } from '@lessonbook/contract/money';
import type { OpenCharge, PaymentFormData } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { type ChargeView, openFamilyCharges } from '../queries/charge-views.ts';
import { familyById, studentsByFamily } from '../queries/family-accounts.ts';
import { familyBalances } from '../queries/family-balances.ts';
import {
  latestLessonCurrency,
  type PaymentFormOrigin,
  resolvePayer,
} from '../queries/payment-form.ts';
import { lastManualPayment } from '../queries/payment-views.ts';
import { suggestCurrency, toBalance } from '../rules/balances-and-suggested-currency.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { familyNotFound } from './assert-family-or-payment-exists.ts';
import { toTransferClaim } from './families.ts';

/** Resolves the payer from the session, lesson, student, family or invoice, and preselects the matching open charges. */
export async function readPaymentForm(
  context: Context,
  tutorId: string,
  origin: PaymentFormOrigin,
): Promise<PaymentFormData> {
  return context.db.tutorSnapshot(tutorId, (tx) => getPaymentForm(context, tx, tutorId, origin));
}

async function getPaymentForm(
  context: Context,
  tx: Tx,
  tutorId: string,
  origin: PaymentFormOrigin,
): Promise<PaymentFormData> {
  const [tutors, [payer]] = await executeBatch(tx, [
    tutorQuery(tx, tutorId),
    resolvePayer(tx, tutorId, origin),
  ]);
  const { timeZone } = toTutorOrThrow(tutors);
  const familyId = payer?.familyId;
  if (!familyId) throw origin.familyId ? familyNotFound() : payerNotFound();
  const [[family], students, balances, charges, [lastPayment], [latestLesson]] = await executeBatch(
    tx,
    [
      familyById(tx, tutorId, familyId),
      studentsByFamily(tx, tutorId, familyId),
      familyBalances(tx, tutorId, [familyId]),
      openFamilyCharges(tx, tutorId, [familyId]),
      lastManualPayment(tx, tutorId, familyId),
      latestLessonCurrency(tx, tutorId, familyId),
    ],
  );
  if (!family) throw familyNotFound();
  const preselected = charges.filter((charge) => isPreselected(charge, origin));
  return {
    familyId,
    familyName: family.name,
    students: students.map((student) => student.name),
    today: dateInZone(timeZone, context.clock.now()),
    lastMethod: (lastPayment?.method ?? null) as PaymentFormData['lastMethod'],
    currency:
      (preselected[0]?.currency as Currency) ??
      suggestCurrency(balances, lastPayment, latestLesson),
    balances: balances.map(toBalance),
    charges: charges.map(toOpenCharge),
    preselectedChargeIds: preselected.map((charge) => charge.id),
    claim: toTransferClaim(family, balances, timeZone),
  };
}

const payerNotFound = (): AppError => new AppError('not_found', "We couldn't find that.");

const isPreselected = (charge: ChargeView, origin: PaymentFormOrigin): boolean =>
  (origin.invoiceId !== undefined && charge.invoiceId === origin.invoiceId) ||
  (origin.sessionId !== undefined && charge.sessionId === origin.sessionId) ||
  (origin.sessionId === undefined &&
    ((origin.lessonId !== undefined && charge.lessonId === origin.lessonId) ||
      (origin.studentId !== undefined && charge.studentId === origin.studentId)));

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
