import { type Currency, formatMoney } from '@lessonbook/contract/money';
import type { NotificationKind } from '@lessonbook/contract/notifications';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { openAccountIn } from '../../payments/service/open-account.ts';
import { notify } from './inbox.ts';

const money = (amount: number, currency: string): string =>
  formatMoney(amount, currency as Currency, 'en-GB');

export async function hearCardPayment(
  context: Context,
  tx: Tx,
  payment: {
    tutorId: string;
    familyId: number;
    paymentId: number;
    amount: number;
    currency: string;
  },
): Promise<void> {
  const { tutorId, familyId, paymentId, amount, currency } = payment;
  const { name } = await openAccountIn(tx, tutorId, familyId);
  await notify(context, tx, tutorId, {
    kind: 'payment_received',
    occasion: `card payment ${paymentId}`,
    text: `${name} paid ${money(amount, currency)} by card.`,
    path: `/families/${familyId}`,
    needsYou: false,
  });
}

const MOVES = {
  disputed: {
    kind: 'payment_disputed',
    text: (amount: string) =>
      `The bank of a card took ${amount} back. You can answer it in your Stripe account.`,
    needsYou: true,
  },
  'dispute won': {
    kind: 'payment_disputed',
    text: (amount: string) => `The bank of a card gave ${amount} back to you.`,
    needsYou: false,
  },
  'refund failed': {
    kind: 'refund_failed',
    text: (amount: string) =>
      `A refund of ${amount} did not go through. Please look into your Stripe account, then try again.`,
    needsYou: true,
  },
} as const satisfies Record<
  string,
  { kind: NotificationKind; text: (amount: string) => string; needsYou: boolean }
>;

export async function hearCardMoney(
  context: Context,
  tx: Tx,
  moved: {
    tutorId: string;
    what: keyof typeof MOVES;
    paymentId: number;
    amount: number;
    currency: string;
    occasion: string;
  },
): Promise<void> {
  const { tutorId, what, paymentId, occasion } = moved;
  const { kind, text, needsYou } = MOVES[what];
  await notify(context, tx, tutorId, {
    kind,
    occasion,
    text: text(money(moved.amount, moved.currency)),
    path: `/payments/${paymentId}`,
    needsYou,
  });
}

const TROUBLES = {
  'payouts stopped': {
    kind: 'payouts_disabled',
    text: 'Stripe has stopped paying out to your bank. Please see what it needs from you.',
  },
  disconnected: {
    kind: 'cards_disconnected',
    text: 'Your Stripe account is no longer connected. Families are not asked for cards any more.',
  },
} as const satisfies Record<string, { kind: NotificationKind; text: string }>;

export async function hearCardAccount(
  context: Context,
  tx: Tx,
  trouble: { tutorId: string; what: keyof typeof TROUBLES; occasion: string },
): Promise<void> {
  await notify(context, tx, trouble.tutorId, {
    ...TROUBLES[trouble.what],
    occasion: trouble.occasion,
    path: '/payment-methods',
    needsYou: true,
  });
}
