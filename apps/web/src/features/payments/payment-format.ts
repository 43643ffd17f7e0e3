import type { Currency } from '@lessonbook/contract/money';
import type { PaymentDetails } from '@lessonbook/contract/payments';
import { firstName, money, pluralize, shortDate } from '../../lib/format.ts';

/** 'Maya, Tue 3 Nov' */
export function formatCharge(
  charge: { studentName: string | null; description: string; date: string },
  today: string,
): string {
  const who = charge.studentName ? firstName(charge.studentName) : charge.description;
  return `${who}, ${shortDate(charge.date, today)}`;
}

/** 'Ruth Hale then owes £35.' `change` is added to the current balance. */
function formatBalanceAfter({ familyName, balance }: PaymentDetails, change: number): string {
  const { currency, owed, credit } = balance;
  const after = owed - credit + change;
  if (after > 0) return `${familyName} then owes ${money(after, currency)}.`;
  if (after < 0) return `${familyName} is then ${money(-after, currency)} in credit.`;
  return `${familyName} then owes nothing.`;
}

/** The effects of reversing a payment, one sentence each. */
export function formatReversalImpact(payment: PaymentDetails): string[] {
  const { amount, currency, covers, credit, balance } = payment;
  const lessons = covers.length;
  // The payer's other credit is reallocated to the oldest charges.
  const otherCredit = Math.max(0, balance.credit - credit);
  return [
    `${money(amount, currency)} is no longer received.`,
    lessons > 0 &&
      otherCredit === 0 &&
      `${pluralize(lessons, 'lesson is', 'lessons are')} unpaid again.`,
    lessons > 0 &&
      otherCredit > 0 &&
      `${pluralize(lessons, 'lesson loses', 'lessons lose')} this money; ${money(otherCredit, currency)} of other credit goes to the oldest.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** The effects of reversing a refund: the money counts as received again. */
export const formatRefundReversalImpact = (payment: PaymentDetails, refund: number): string[] => [
  `The refund of ${money(refund, payment.currency)} was not made.`,
  formatBalanceAfter(payment, -refund),
];

/** The effects of a refund. It is taken from unused credit first, then from the latest lessons. */
export function formatRefundImpact(payment: PaymentDetails, amount: number): string[] {
  const { currency, credit } = payment;
  const fromLessons = Math.max(0, amount - credit);
  return [
    fromLessons > 0 && `${money(fromLessons, currency)} of what it paid for is unpaid again.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** What can still be refunded; pending refunds count as refunded. */
export const refundableAmount = ({ amount, refunded, refundsWaiting }: PaymentDetails): number =>
  amount - refunded - refundsWaiting;

export const CARD_REFUND_NOTE = 'The money goes back to the card. That may take some days.';

/** 'Record £100' */
export const formatRecordLabel = (amount: number | null, currency: Currency): string =>
  amount === null ? 'Record payment' : `Record ${money(amount, currency)}`;
