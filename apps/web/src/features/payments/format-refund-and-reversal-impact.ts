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

/** 'Ruth Hale then owes £35.' `change` is added to the current balance. */
function formatBalanceAfter({ familyName, balance }: PaymentDetails, change: number): string {
  const { currency, owed, credit } = balance;
  const after = owed - credit + change;
  if (after > 0) return `${familyName} then owes ${formatAmount(after, currency)}.`;
  if (after < 0) return `${familyName} is then ${formatAmount(-after, currency)} in credit.`;
  return `${familyName} then owes nothing.`;
}

/** The effects of reversing a payment, one sentence each. */
export function formatReversalImpact(payment: PaymentDetails): string[] {
  const { amount, currency, allocations, credit, balance } = payment;
  const lessons = allocations.length;
  // The payer's other credit is reallocated to the oldest charges.
  const otherCredit = Math.max(0, balance.credit - credit);
  return [
    `${formatAmount(amount, currency)} is no longer received.`,
    lessons > 0 &&
      otherCredit === 0 &&
      `${pluralize(lessons, 'lesson is', 'lessons are')} unpaid again.`,
    lessons > 0 &&
      otherCredit > 0 &&
      `${pluralize(lessons, 'lesson loses', 'lessons lose')} this money; ${formatAmount(otherCredit, currency)} of other credit goes to the oldest.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** The effects of reversing a refund: the money counts as received again. */
export const formatRefundReversalImpact = (payment: PaymentDetails, refund: number): string[] => [
  `The refund of ${formatAmount(refund, payment.currency)} was not made.`,
  formatBalanceAfter(payment, -refund),
];

/** The effects of a refund. It is taken from unused credit first, then from the latest lessons. */
export function formatRefundImpact(payment: PaymentDetails, amount: number): string[] {
  const { currency, credit } = payment;
  const fromLessons = Math.max(0, amount - credit);
  return [
    fromLessons > 0 &&
      `${formatAmount(fromLessons, currency)} of what it paid for is unpaid again.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** What can still be refunded; pending refunds count as refunded. */
export const refundableAmount = ({
  amount,
  refunded,
  pendingRefundAmount,
}: PaymentDetails): number => amount - refunded - pendingRefundAmount;

export const CARD_REFUND_NOTE = 'The money goes back to the card. That may take some days.';

/** 'Record £100' */
export const formatRecordLabel = (amount: number | null, currency: Currency): string =>
  amount === null ? 'Record payment' : `Record ${formatAmount(amount, currency)}`;
