import type { PublicBill } from '@lessonbook/contract/public-bill';
import { IconCheck } from '@tabler/icons-react';
import classes from './PublicBill.module.css';
import type { CheckoutReturn } from './use-public-bill.ts';

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
  const { state, tutorName, card } = bill;
  if (state === 'paid') {
    if (checkoutReturn === 'received') return { kind: 'received', text: 'Paid. Thank you!' };
    // A refused card payment takes precedence, because it is the result of the button just pressed.
    return { kind: 'plain', text: cardError ?? 'Nothing to pay. Thank you.' };
  }
  if (card?.pending) {
    const text = `Thank you. Your payment is on its way, which can take a few days. ${tutorName} will see when it arrives; there is nothing more to do.`;
    return { kind: 'pending', text };
  }
  return checkoutReturn && checkoutNotices(tutorName)[checkoutReturn];
}

const checkoutNotices = (tutorName: string): Record<CheckoutReturn, PaymentNotice> => ({
  cancelled: { kind: 'info', text: 'Nothing was charged.' },
  waiting: { kind: 'pending', text: 'Thank you. We are waiting for the confirmation...' },
  late: {
    kind: 'info',
    text: `Thank you. The confirmation may take a while. ${tutorName} will see your payment as soon as it is here; there is no need to pay again.`,
  },
  // Something else is still unpaid: another currency, or a lesson completed in the meantime.
  received: { kind: 'received', text: 'Paid. Thank you! This is what is still open.' },
});

const noticeClasses = {
  received: classes.success,
  pending: classes.success,
  info: classes.info,
  plain: classes.message,
};

/** A live region, because the text changes while a payment is pending. */
export const PaymentBanner = ({ kind, text }: PaymentNotice) => (
  <div role="status">
    <p className={noticeClasses[kind]}>
      {kind === 'received' && <IconCheck size={20} stroke={2.4} />}
      <span>{text}</span>
    </p>
  </div>
);
