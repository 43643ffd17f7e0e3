import type { Currency } from '@lessonbook/contract/money';
import type { PaymentDetails } from '@lessonbook/contract/payments';
import { firstName, money, pluralize, shortDate } from '../../lib/format.ts';

/** 'Maya, Tue 3 Nov': families know their lessons by child and day. */
export function formatCharge(
  charge: { studentName: string | null; description: string; date: string },
  today: string,
): string {
  const who = charge.studentName ? firstName(charge.studentName) : charge.description;
  return `${who}, ${shortDate(charge.date, today)}`;
}

/** 'Ruth Hale then owes £35', from what the account says now and what is added to it. */
function formatBalanceAfter({ familyName, balance }: PaymentDetails, more: number): string {
  const { currency, owed, credit } = balance;
  const after = owed - credit + more;
  if (after > 0) return `${familyName} then owes ${money(after, currency)}.`;
  if (after < 0) return `${familyName} is then ${money(-after, currency)} in credit.`;
  return `${familyName} then owes nothing.`;
}

/** What taking a payment back does, a sentence each. */
export function formatReversalImpact(payment: PaymentDetails): string[] {
  const { amount, currency, covers, credit, balance } = payment;
  const lessons = covers.length;
  // Other money of the payer steps in where it can, so which lessons stay paid is then for the oldest due to say.
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

/** What taking a refund back does: the money counts as received again. */
export const formatRefundReversalImpact = (payment: PaymentDetails, refund: number): string[] => [
  `The refund of ${money(refund, payment.currency)} was not made.`,
  formatBalanceAfter(payment, -refund),
];

/** What giving money back does. It comes first from what nothing has used, then from the latest lessons. */
export function formatRefundImpact(payment: PaymentDetails, amount: number): string[] {
  const { currency, credit } = payment;
  const fromLessons = Math.max(0, amount - credit);
  return [
    fromLessons > 0 && `${money(fromLessons, currency)} of what it paid for is unpaid again.`,
    formatBalanceAfter(payment, amount),
  ].filter((sentence) => sentence !== false);
}

/** What can still be given back. What is on its way back is as good as gone. */
export const refundableAmount = ({ amount, refunded, refundsWaiting }: PaymentDetails): number =>
  amount - refunded - refundsWaiting;

/** A card's money goes back by the provider's hand, when that gets round to it. */
export const CARD_REFUND_NOTE = 'The money goes back to the card. That may take some days.';

/** 'Record £100' */
export const formatRecordLabel = (amount: number | null, currency: Currency): string =>
  amount === null ? 'Record payment' : `Record ${money(amount, currency)}`;
