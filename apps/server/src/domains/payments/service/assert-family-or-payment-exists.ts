import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { familyById } from '../queries/family-accounts.ts';
import { findPayment, type PaymentRecord } from '../queries/payments.ts';

export const familyNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that account.");

export const paymentNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that payment.");

export async function assertFamilyExists(tx: Tx, tutorId: string, id: number): Promise<void> {
  if (!(await familyById(tx, tutorId, id).executeTakeFirst())) throw familyNotFound();
}

export async function getPaymentOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<PaymentRecord> {
  const payment = await findPayment(tx, tutorId, id);
  if (!payment) throw paymentNotFound();
  return payment;
}
