import type { Currency } from '@lessonbook/contract/money';
import type {
  ListedPayment,
  Payment,
  PaymentDetails,
  ReturnedPayment,
} from '@lessonbook/contract/payments';
import {
  type ChosenPeriod,
  chosenRange,
  type DateRange,
} from '@lessonbook/contract/report-periods';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { familyBalancesForPayment } from '../queries/family-balances.ts';
import type { LessonFilter } from '../queries/money-received.ts';
import {
  coveredCharges,
  type PaymentView,
  paymentsBetween,
  paymentView,
  refundsForPayment,
} from '../queries/payment-views.ts';
import { pendingRefundTotal } from '../queries/refund-requests.ts';
import {
  type ReturnedPaymentRecord,
  returnedPayments,
} from '../queries/returned-payments-and-charges-on-hold.ts';
import { balanceInCurrency } from '../rules/balances-and-suggested-currency.ts';
import { formatEntryLabel } from '../rules/entry-label.ts';
import { paymentNotFound } from './assert-family-or-payment-exists.ts';

/** For reports about the money received. */
export {
  isWithin,
  joinChargeOfPart,
  type LessonFilter,
  moneyReceivedByCharge,
  moneyReceivedFor,
} from '../queries/money-received.ts';

export async function listPayments(
  context: Context,
  tutorId: string,
  query: ChosenPeriod & LessonFilter & { limit: number; offset: number },
): Promise<ListedPayment[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    return getPaymentsBetween(tx, tutorId, chosenRange(query, today), query, query);
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

export async function getPaymentsBetween(
  tx: Tx,
  tutorId: string,
  range: DateRange,
  filter: LessonFilter,
  page: { limit: number; offset: number } | null,
): Promise<ListedPayment[]> {
  const views = await paymentsBetween(tx, tutorId, range, filter, page).execute();
  return views.map((view) => ({ ...toPayment(view), share: view.share }));
}
