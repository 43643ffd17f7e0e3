import type { Currency } from '@lessonbook/contract/money';
import type { Payment, PaymentDetails } from '@lessonbook/contract/payments';
import { type DateRange, type Period, rangeOfPeriod } from '@lessonbook/contract/periods';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import { balancesBehind } from '../queries/families.ts';
import {
  coversOf,
  type PaymentView,
  paymentsBetween,
  paymentView,
  refundsOf,
} from '../queries/payment-views.ts';
import { refundsWaiting } from '../queries/refund-requests.ts';
import { balanceIn } from '../rules/balance.ts';
import { describeEntry } from '../rules/describe.ts';

export const noSuchPayment = (): AppError =>
  new AppError('not_found', 'That payment is not in your book.');

export async function listPayments(
  context: Context,
  tutorId: string,
  query: { period: Period; limit: number; offset: number },
): Promise<Payment[]> {
  const today = dateIn(await readTimeZone(context, tutorId), context.clock.now());
  const [rows] = await context.db.readTutor(tutorId, (tx) => [
    paymentsBetween(tx, tutorId, rangeOfPeriod(query.period, today), query),
  ]);
  return rows.map(asPayment);
}

export function asPayment(view: PaymentView): Payment {
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

/** What it covered and what remains, which is also what a receipt says. */
export async function readPayment(
  context: Context,
  tutorId: string,
  id: number,
): Promise<PaymentDetails> {
  const [[view], covers, refunds, [waiting], balances] = await context.db.readTutor(
    tutorId,
    (tx) => [
      paymentView(tx, tutorId, id),
      coversOf(tx, tutorId, id),
      refundsOf(tx, tutorId, id),
      refundsWaiting(tx, tutorId, id),
      balancesBehind(tx, tutorId, id),
    ],
  );
  if (!view) throw noSuchPayment();
  return {
    ...asPayment(view),
    covers: covers.map(({ kind, subjectName, ...cover }) => ({
      ...cover,
      description: describeEntry({ kind, subjectName, description: cover.description }),
    })),
    credit: view.unallocated,
    refunds,
    refundsWaiting: waiting?.amount ?? 0,
    balance: balanceIn(balances, view.currency),
  };
}

/** All of them, for an export. */
export async function readPaymentsBetween(
  context: Context,
  tutorId: string,
  range: DateRange,
): Promise<Payment[]> {
  const [rows] = await context.db.readTutor(tutorId, (tx) => [
    paymentsBetween(tx, tutorId, range, null),
  ]);
  return rows.map(asPayment);
}
