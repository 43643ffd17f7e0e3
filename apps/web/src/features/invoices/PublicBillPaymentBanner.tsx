import type { PublicBill } from '@lessonbook/contract/public-bill';
import { IconCheck } from '@tabler/icons-react';
import { formatAmount, formatDateWithYear, formatList } from '../../lib/format.ts';
import classes from './PublicBill.module.css';
import type { CheckoutReturn } from './use-public-bill-and-card-checkout.ts';

export interface PaymentNotice {
  kind: 'received' | 'pending' | 'info' | 'plain';
  text: string;
}

/** The notice shown above a bill, if any. */
export function toPaymentNotice(
  bill: PublicBill,
  checkoutReturn: CheckoutReturn | null,
  cardError: string | null,
): PaymentNotice | null {
  const { state, tutorName, card, failedPayment } = bill;
  if (state === 'on_hold') {
    const thanks = checkoutReturn === 'received' ? 'Paid. Thank you! ' : '';
    return { kind: 'info', text: `${thanks}${formatOnHold(bill)}` };
  }
  if (state === 'paid') {
    const credit = formatCredit(bill);
    if (checkoutReturn === 'received')
      return { kind: 'received', text: `Paid. Thank you!${credit}` };
    // A refused card payment takes precedence, because it is the result of the button just pressed.
    return { kind: 'plain', text: cardError ?? `Nothing to pay. Thank you.${credit}` };
  }
  if (card?.pending) {
    const text = `Thank you. Your payment is on its way. This can take a few days. ${tutorName} will see it when it arrives, so there's nothing more to do.`;
    return { kind: 'pending', text };
  }
  if (checkoutReturn) return checkoutNotices(tutorName)[checkoutReturn];
  if (!failedPayment) return null;
  const { amount, currency, date } = failedPayment;
  const text = `Your bank didn't complete the payment of ${formatAmount(amount, currency, true)} on ${formatDateWithYear(date)}, so the amount is still owed.`;
  return { kind: 'info', text };
}

/** ' Your account is £38.00 in credit.' */
function formatCredit({ credits }: PublicBill): string {
  if (credits.length === 0) return '';
  const amounts = credits.map(({ amount, currency }) => formatAmount(amount, currency, true));
  return ` Your account is ${formatList(amounts)} in credit.`;
}

function formatOnHold({ onHold, plans }: PublicBill): string {
  const amounts = onHold.map(({ amount, currency }) => formatAmount(amount, currency, true));
  const reasons = new Set(onHold.map(({ reason }) => reason));
  if (reasons.has('query'))
    return `There's a question about ${formatList(amounts)}. You don't need to pay anything for now.`;
  if (reasons.has('instalments')) {
    const next = plans.flatMap(({ currency, instalments }) =>
      instalments
        .filter(({ outstanding }) => outstanding > 0)
        .slice(0, 1)
        .map(
          ({ outstanding, dueOn }) =>
            `${formatAmount(outstanding, currency, true)} on ${formatDateWithYear(dueOn)}`,
        ),
    );
    return next.length > 0
      ? `You don't need to pay anything for now. Your next instalment is ${formatList(next)}.`
      : "This is being paid in instalments. You don't need to pay anything for now.";
  }
  return reasons.has('dispute')
    ? `Your bank is looking into your payment of ${formatList(amounts)}. You don't need to pay anything for now.`
    : `${formatList(amounts)} was refunded to you. You don't need to pay anything for now.`;
}

const checkoutNotices = (tutorName: string): Record<CheckoutReturn, PaymentNotice> => ({
  cancelled: { kind: 'info', text: 'Nothing was charged.' },
  waiting: { kind: 'pending', text: "Thank you. We're confirming your payment..." },
  late: {
    kind: 'info',
    text: `Thank you. Confirmation is taking a little longer. ${tutorName} will see your payment as soon as it arrives. You don't need to pay again.`,
  },
  // Something else is still unpaid: another currency, or a lesson completed in the meantime.
  received: { kind: 'received', text: "Paid. Thank you! This is what's left to pay." },
});

const noticeClasses = {
  received: classes.success,
  pending: classes.success,
  info: classes.info,
  plain: classes.message,
};

/** A live region, because the text changes while a payment is pending. */
export const PublicBillPaymentBanner = ({ kind, text }: PaymentNotice) => (
  <div role="status">
    <p className={noticeClasses[kind]}>
      {kind === 'received' && <IconCheck size={20} stroke={2.4} />}
      <span>{text}</span>
    </p>
  </div>
);
