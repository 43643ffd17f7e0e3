import type { PublicBill } from '@lessonbook/contract/public-invoice';
import { IconCheck } from '@tabler/icons-react';
import classes from './PublicBill.module.css';
import type { CheckoutReturn } from './use-public-bill.ts';

export interface PaymentNotice {
  /** Money is here or on its way, something to know, or one plain sentence that says it all. */
  tone: 'arrived' | 'awaited' | 'quiet' | 'plain';
  words: string;
}

/** The one thing to say about a bill, besides what it asks for. */
export function toPaymentNotice(
  bill: PublicBill,
  cardReturn: CheckoutReturn | null,
  refusal: string | null,
): PaymentNotice | null {
  const { state, tutorName, card } = bill;
  if (state === 'void') return { tone: 'plain', words: formatVoided(bill) };
  if (state === 'paid') {
    if (cardReturn === 'arrived') return { tone: 'arrived', words: 'Paid. Thank you!' };
    // Whoever pressed a button gets the answer to that.
    return { tone: 'plain', words: refusal ?? 'Nothing to pay. Thank you.' };
  }
  if (card?.pending) {
    const words = `Thank you. Your payment is on its way, which can take a few days. ${tutorName} will see when it arrives; there is nothing more to do.`;
    return { tone: 'awaited', words };
  }
  return cardReturn && checkoutNotices(tutorName)[cardReturn];
}

const checkoutNotices = (tutorName: string): Record<CheckoutReturn, PaymentNotice> => ({
  cancelled: { tone: 'quiet', words: 'Nothing was charged.' },
  waiting: { tone: 'awaited', words: 'Thank you. We are waiting for the confirmation...' },
  late: {
    tone: 'quiet',
    words: `Thank you. The confirmation may take a while. ${tutorName} will see your payment as soon as it is here; there is no need to pay again.`,
  },
  // Something else is open: another currency, or a lesson that was ticked off meanwhile.
  arrived: { tone: 'arrived', words: 'Paid. Thank you! This is what is still open.' },
});

const formatVoided = ({ tutorName, invoice }: PublicBill): string =>
  `${tutorName} has cancelled invoice ${invoice?.number ?? ''}; there is nothing to pay.`;

const toneClasses = {
  arrived: classes.thanks,
  awaited: classes.thanks,
  quiet: classes.ask,
  plain: classes.sentence,
};

/** Read out when it changes, as it does while a payment is awaited. */
export const PaymentBanner = ({ tone, words }: PaymentNotice) => (
  <div role="status">
    <p className={toneClasses[tone]}>
      {/* A tick is for what is done. */}
      {tone === 'arrived' && <IconCheck size={20} stroke={2.4} />}
      <span>{words}</span>
    </p>
  </div>
);
