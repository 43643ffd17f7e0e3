import type { PublicBill } from '@lessonbook/contract/bills';
import type { CardReturn } from './card-return.ts';

export interface Notice {
  /** Money is here or on its way, something to know, or one plain sentence that says it all. */
  tone: 'arrived' | 'awaited' | 'quiet' | 'plain';
  words: string;
}

/** The one thing to say about a bill, besides what it asks for. */
export function billNotice(
  bill: PublicBill,
  cardReturn: CardReturn | null,
  refusal: string | null,
): Notice | null {
  const { state, tutorName, card } = bill;
  if (state === 'void') return { tone: 'plain', words: voided(bill) };
  if (state === 'paid') {
    if (cardReturn === 'arrived') return { tone: 'arrived', words: 'Paid. Thank you!' };
    // Whoever pressed a button gets the answer to that.
    return { tone: 'plain', words: refusal ?? 'Nothing to pay. Thank you.' };
  }
  if (card?.pending) {
    const words = `Thank you. Your payment is on its way, which can take a few days. ${tutorName} will see when it arrives; there is nothing more to do.`;
    return { tone: 'awaited', words };
  }
  return cardReturn && returnNotices(tutorName)[cardReturn];
}

const returnNotices = (tutorName: string): Record<CardReturn, Notice> => ({
  cancelled: { tone: 'quiet', words: 'Nothing was charged.' },
  waiting: { tone: 'awaited', words: 'Thank you. We are waiting for the confirmation...' },
  late: {
    tone: 'quiet',
    words: `Thank you. The confirmation may take a while. ${tutorName} will see your payment as soon as it is here; there is no need to pay again.`,
  },
  // Something else is open: another currency, or a lesson that was ticked off meanwhile.
  arrived: { tone: 'arrived', words: 'Paid. Thank you! This is what is still open.' },
});

const voided = ({ tutorName, invoice }: PublicBill): string =>
  `${tutorName} has cancelled invoice ${invoice?.number ?? ''}; there is nothing to pay.`;
