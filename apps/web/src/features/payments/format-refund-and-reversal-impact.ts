import type { Currency } from '@lessonbook/contract/money';
import type { PaymentDetails } from '@lessonbook/contract/payments';
import { firstName, formatAmount, formatShortDate, pluralize } from '../../lib/format.ts';

/** 'Maya, Tue 3 Nov' */
export function formatCharge(
  charge: { studentName: string | null; description: string; date: string },
  today: string,
): string {
  const name = charge.studentName ? firstName(charge.studentName) : charge.description;
  return `${name}, ${formatShortDate(charge.date, today)}`;
}

/** 'Ruth Hale will owe £35.' `change` is added to the current balance. */
function formatBalanceAfter({ familyName, balance }: PaymentDetails, change: number): string {
  const { currency, owed, credit } = balance;
  const after = owed - credit + change;
  if (after > 0) return `${familyName} will owe ${formatAmount(after, currency)}.`;
  if (after < 0) return `${familyName} will be ${formatAmount(-after, currency)} in credit.`;
  return `${familyName} will owe nothing.`;
}

/** The effects of reversing a payment, one sentence each. */
export function formatReversalImpact(payment: PaymentDetails): string[] {
  const { amount, currency, allocations, credit, balance } = payment;
  const lessons = allocations.length;
  // The payer's other credit is reallocated to the oldest charges.
  const otherCredit = Math.max(0, balance.credit - credit);
  return [
    `${formatAmount(amount, currency)} will be removed from payments received.`,
    lessons > 0 && otherCredit === 0 && `${pluralize(lessons, 'lesson')} will become unpaid.`,
    lessons > 0 &&
      otherCredit > 0 &&
      `${pluralize(lessons, 'lesson')} will no longer be paid by this payment. ${formatAmount(otherCredit, currency)} of other credit will go towards the oldest.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** The effects of reversing a refund: the money counts as received again. */
export const formatRefundReversalImpact = (
  payment: PaymentDetails,
  refundAmount: number,
): string[] => [
  `${formatAmount(refundAmount, payment.currency)} will no longer count as refunded.`,
  formatBalanceAfter(payment, -refundAmount),
];

/** The effects of a refund. It is taken from unused credit first, then from the latest lessons. */
export function formatRefundImpact(payment: PaymentDetails, amount: number): string[] {
  const { currency, credit } = payment;
  const fromLessons = Math.max(0, amount - credit);
  return [
    fromLessons > 0 && `Lessons worth ${formatAmount(fromLessons, currency)} will become unpaid.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** What can still be refunded; pending refunds count as refunded. */
export const refundableAmount = ({
  amount,
  refunded,
  pendingRefundAmount,
}: PaymentDetails): number => amount - refunded - pendingRefundAmount;

/** Who returns the money. */
export const formatRefundRoute = ({ method, familyName }: PaymentDetails): string =>
  method === 'card'
    ? 'Stripe will return the money to the card. This may take a few days.'
    : `This only records the refund. If you haven't already, return the money to ${familyName} yourself.`;

/** 'Record £100' */
export const formatRecordLabel = (amount: number | null, currency: Currency): string =>
  amount === null ? 'Record payment' : `Record ${formatAmount(amount, currency)}`;
