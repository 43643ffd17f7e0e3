import type { Currency } from '@lessonbook/contract/money';
import type { Payment, PaymentDetails, ReturnedPayment } from '@lessonbook/contract/payments';
import { type DateRange, type Period, periodRange } from '@lessonbook/contract/periods';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { familyBalancesForPayment } from '../queries/families.ts';
import {
  coveredCharges,
  type PaymentView,
  paymentsBetween,
  paymentView,
  refundsForPayment,
} from '../queries/payment-views.ts';
import { pendingRefundTotal } from '../queries/refund-requests.ts';
import { type ReturnedPaymentRecord, returnedPayments } from '../queries/returned-payments.ts';
import { balanceInCurrency } from '../rules/balance.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { paymentNotFound } from './guards.ts';

export async function listPayments(
  context: Context,
  tutorId: string,
  query: { period: Period; limit: number; offset: number },
): Promise<Payment[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    const range = periodRange(query.period, today);
    return (await paymentsBetween(tx, tutorId, range, query).execute()).map(toPayment);
  });
}

export function toPayment(view: PaymentView): Payment {
  const [studentId] = view.studentIds;
  return {
    id: view.id,
    studentId: view.studentIds.length === 1 && studentId !== undefined ? studentId : null,
    amount: view.amount,
    currency: view.currency as Currency,
    status: view.reversed ? 'reversed' : 'completed',
    paymentDate: view.paidOn,
    kind: view.kind as Payment['kind'],
    method: view.method as Payment['method'],
    note: view.note,
    familyId: view.familyId,
    familyName: view.familyName,
    students: view.students,
    refunded: view.refunded,
  };
}

/** The payment with the charges it covers and the remaining credit. Also used for receipts. */
export const readPayment = (
  context: Context,
  tutorId: string,
  id: number,
): Promise<PaymentDetails> =>
  context.db.tutorSnapshot(tutorId, (tx) => getPayment(tx, tutorId, id));

export async function getPayment(tx: Tx, tutorId: string, id: number): Promise<PaymentDetails> {
  const [[view], charges, refunds, [pending], balances, returned] = await executeBatch(tx, [
    paymentView(tx, tutorId, id),
    coveredCharges(tx, tutorId, id),
    refundsForPayment(tx, tutorId, id),
    pendingRefundTotal(tx, tutorId, id),
    familyBalancesForPayment(tx, tutorId, id),
    returnedPayments(tx, tutorId, { paymentId: id }),
  ]);
  if (!view) throw paymentNotFound();
  return {
    ...toPayment(view),
    allocations: charges.map(({ kind, subjectName, ...charge }) => ({
      ...charge,
      description: formatEntryLabel({ kind, subjectName, description: charge.description }),
    })),
    credit: view.unallocated,
    refunds,
    returned: returned.map(toReturnedPayment),
    pendingRefundAmount: pending?.amount ?? 0,
    balance: balanceInCurrency(balances, view.currency),
  };
}

export const toReturnedPayment = (record: ReturnedPaymentRecord): ReturnedPayment => ({
  ...record,
  kind: record.kind as ReturnedPayment['kind'],
  state: record.state as ReturnedPayment['state'],
  currency: record.currency as Currency,
});

/** For exports, without pagination. */
export async function getPaymentsBetween(
  tx: Tx,
  tutorId: string,
  range: DateRange,
): Promise<Payment[]> {
  return (await paymentsBetween(tx, tutorId, range, null).execute()).map(toPayment);
}
