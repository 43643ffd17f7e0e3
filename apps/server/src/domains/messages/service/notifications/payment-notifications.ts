import { type Currency, formatMoney } from '@lessonbook/contract/money';
import type { NotificationKind } from '@lessonbook/contract/notifications';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTimeZone } from '../../../accounts/service/profile/read-tutor.ts';
import type { CardReversalChange } from '../../../cards/events.ts';
import { areReceiptsEnabled } from '../../../cards/service/account.ts';
import {
  getAccountStatement,
  getPayers,
} from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { getPayment } from '../../../payments/service/read-payments.ts';
import { formatShortDate } from '../../rules/format-dates-and-lessons.ts';
import { sendAutomaticReceipt, sendPaymentUpdate } from '../outbound/payment-updates.ts';
import { notify } from './notifications.ts';

const formatAmount = (amount: number, currency: string): string =>
  formatMoney(amount, currency as Currency, 'en-GB');

const paymentPath = (familyId: number, paymentId: number): string =>
  `/families/${familyId}?payment=${paymentId}`;

/** A payment of more than was due always gets a receipt, for example if its invoice was voided in the meantime. */
export async function onCardPaymentReceived(
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
  const { name } = await getAccountStatement(tx, tutorId, familyId);
  const { credit, balance } = await getPayment(tx, tutorId, paymentId);
  const creditSentence =
    credit === 0
      ? ''
      : ` ${credit === amount ? 'Nothing was due' : 'That was more than was due'}, so the account is now ${formatAmount(balance.credit, currency)} in credit.`;
  await notify(context, tx, tutorId, {
    kind: 'payment_received',
    dedupeKey: `card payment ${paymentId}`,
    text: `${name} paid ${formatAmount(amount, currency)} by card.${creditSentence}`,
    path: paymentPath(familyId, paymentId),
    requiresAction: false,
  });
  if (credit > 0 || (await areReceiptsEnabled(tx, tutorId)))
    await sendAutomaticReceipt(context, tx, tutorId, paymentId);
}

export async function onInstalmentMissed(
  context: Context,
  tx: Tx,
  instalment: {
    tutorId: string;
    familyId: number;
    planId: number;
    position: number;
    dueOn: string;
    amount: number;
    currency: string;
    isPartPaid: boolean;
  },
): Promise<void> {
  const { tutorId, familyId, planId, position, currency, isPartPaid } = instalment;
  const amount = formatAmount(instalment.amount, currency);
  const payers = await getPayers(tx, tutorId, [familyId]);
  const name = payers.get(familyId)?.name ?? 'A family';
  const today = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
  const dueOn = formatShortDate(instalment.dueOn, today);
  await notify(context, tx, tutorId, {
    kind: 'instalment_missed',
    dedupeKey: `instalment missed ${planId} ${position}`,
    text: `${name} hasn't paid the instalment due on ${dueOn}${isPartPaid ? ' in full' : ''}: ${amount} is ${isPartPaid ? 'still ' : ''}outstanding.`,
    path: `/families/${familyId}`,
    requiresAction: false,
  });
}

export async function onBankDebitFailed(
  context: Context,
  tx: Tx,
  failed: {
    tutorId: string;
    familyId: number;
    checkoutId: number;
    amount: number;
    currency: string;
  },
): Promise<void> {
  const { tutorId, familyId, checkoutId } = failed;
  const amount = formatAmount(failed.amount, failed.currency);
  const { name } = await getAccountStatement(tx, tutorId, familyId);
  await notify(context, tx, tutorId, {
    kind: 'payment_failed',
    dedupeKey: `debit failed ${checkoutId}`,
    text: `${name}'s bank payment of ${amount} didn't go through, so the amount is still owed.`,
    path: `/families/${familyId}`,
    requiresAction: false,
  });
  await sendPaymentUpdate(context, tx, tutorId, {
    familyId,
    dedupeKey: `debit failed ${checkoutId}`,
    subject: `Your payment of ${amount} didn't go through`,
    text: `Your bank didn't complete your payment of ${amount}, so nothing has been taken.`,
    asksForPayment: true,
  });
}

interface ReversalMessages {
  kind: NotificationKind;
  requiresAction: boolean;
  tutor: (name: string, amount: string) => string;
  /** The message to the payer; null if none is sent. */
  payer: ((amount: string) => { subject: string; text: string }) | null;
}

const refundMessages = (amount: string) => ({
  subject: `Refund of ${amount}`,
  text: `I've refunded ${amount}. It usually takes 5 to 10 working days to reach your account.`,
});

const REVERSAL_MESSAGES: Record<CardReversalChange, ReversalMessages> = {
  refunded: {
    kind: 'payment_refunded',
    requiresAction: false,
    tutor: (name, amount) => `The ${amount} refund to ${name} is on its way.`,
    payer: refundMessages,
  },
  'refunded at provider': {
    kind: 'payment_refunded',
    requiresAction: false,
    tutor: (name, amount) => `${name} was refunded ${amount} in Stripe.`,
    payer: refundMessages,
  },
  disputed: {
    kind: 'payment_disputed',
    requiresAction: true,
    tutor: (name, amount) =>
      `A ${amount} card payment from ${name} has been disputed. Respond in Stripe. We won't ask ${name} for it in the meantime.`,
    payer: (amount) => ({
      subject: `Disputed payment of ${amount}`,
      text: `Your payment of ${amount} has been disputed with your bank. You won't be asked for it while your bank looks into it. If this is a mistake, please contact your bank or reply to this email.`,
    }),
  },
  'dispute won': {
    kind: 'payment_disputed',
    requiresAction: false,
    tutor: (name, amount) =>
      `You won the dispute over ${name}'s ${amount} payment. It's marked as paid again.`,
    payer: (amount) => ({
      subject: `Your payment of ${amount} is confirmed`,
      text: `Your bank has closed the dispute about your payment of ${amount}, and the payment is confirmed. There's nothing you need to do.`,
    }),
  },
  'dispute lost': {
    kind: 'payment_disputed',
    requiresAction: false,
    tutor: (name, amount) => `The bank has returned ${amount} to ${name}.`,
    payer: (amount) => ({
      subject: `${amount} was returned to you`,
      text: `Your bank has closed the dispute about your payment of ${amount} and returned it to you.`,
    }),
  },
  'refund failed': {
    kind: 'refund_failed',
    requiresAction: true,
    tutor: (name, amount) =>
      `The ${amount} refund to ${name} didn't go through. Check your Stripe account, then try again.`,
    payer: null,
  },
};

export async function onCardReversalChanged(
  context: Context,
  tx: Tx,
  reversal: {
    tutorId: string;
    change: CardReversalChange;
    familyId: number;
    paymentId: number;
    amount: number;
    currency: string;
    needsTutorDecision: boolean;
    dedupeKey: string;
  },
): Promise<void> {
  const { tutorId, change, familyId, paymentId, dedupeKey, needsTutorDecision } = reversal;
  const { kind, requiresAction, tutor, payer } = REVERSAL_MESSAGES[change];
  const amount = formatAmount(reversal.amount, reversal.currency);
  const { name } = await getAccountStatement(tx, tutorId, familyId);
  const question = needsTutorDecision ? ' Is this amount still owed?' : '';
  await notify(context, tx, tutorId, {
    kind,
    dedupeKey,
    text: `${tutor(name, amount)}${question}`,
    path: paymentPath(familyId, paymentId),
    requiresAction: requiresAction || needsTutorDecision,
    targetId: paymentId,
  });
  if (payer)
    await sendPaymentUpdate(context, tx, tutorId, { familyId, dedupeKey, ...payer(amount) });
}

/** Null if nothing is owed. */
const formatOwed = (balances: readonly { owed: number; currency: string }[]): string | null => {
  const owed = balances
    .filter((balance) => balance.owed > 0)
    .map((balance) => formatAmount(balance.owed, balance.currency));
  return owed.length > 0 ? owed.join(' and ') : null;
};

export async function onTransferClaimed(
  context: Context,
  tx: Tx,
  { tutorId, familyId }: { tutorId: string; familyId: number },
): Promise<void> {
  const { name, balances } = await getAccountStatement(tx, tutorId, familyId);
  const owed = formatOwed(balances);
  await notify(context, tx, tutorId, {
    kind: 'transfer_claimed',
    dedupeKey: `claim ${familyId} ${context.clock.now().toISOString()}`,
    text: `${name} says they've ${owed ? `paid ${owed}` : 'made a payment'} by bank transfer.`,
    path: `/families/${familyId}`,
    requiresAction: true,
    targetId: familyId,
  });
}

export async function onTransferClaimWithdrawn(
  context: Context,
  tx: Tx,
  { tutorId, familyId }: { tutorId: string; familyId: number },
): Promise<void> {
  const { name, balances } = await getAccountStatement(tx, tutorId, familyId);
  await notify(context, tx, tutorId, {
    kind: 'transfer_claimed',
    dedupeKey: `claim withdrawn ${familyId} ${context.clock.now().toISOString()}`,
    text: `${name} says they haven't sent ${formatOwed(balances) ?? 'a payment'} after all.`,
    path: `/families/${familyId}`,
    requiresAction: false,
  });
}
