import { defineEvent } from '../../platform/events.ts';

export const cardPaymentReceived = defineEvent<{
  tutorId: string;
  familyId: number;
  paymentId: number;
  amount: number;
  currency: string;
}>('card-payment-received');

/** A bank debit that the payer had confirmed has failed. */
export const bankDebitFailed = defineEvent<{
  tutorId: string;
  familyId: number;
  checkoutId: number;
  amount: number;
  currency: string;
}>('bank-debit-failed');

/** What happened to a payment: refunded by us or in the provider's dashboard, disputed, or a requested refund failed. */
export type CardReversalChange =
  | 'refunded'
  | 'refunded at provider'
  | 'disputed'
  | 'dispute won'
  | 'dispute lost'
  | 'refund failed';

export const cardReversalChanged = defineEvent<{
  tutorId: string;
  change: CardReversalChange;
  familyId: number;
  paymentId: number;
  amount: number;
  currency: string;
  /** Whether the tutor must still decide what happens to the reopened charges. */
  needsTutorDecision: boolean;
  /** The tutor receives one notification per key. */
  dedupeKey: string;
}>('card-reversal-changed');

/** A change reported by the provider could not be read. */
export const cardUpdateFailed = defineEvent<{
  tutorId: string;
  dedupeKey: string;
}>('card-update-failed');

/** Payouts have stopped, or we no longer have access to the tutor's account. */
export const cardAccountProblem = defineEvent<{
  tutorId: string;
  problem: 'payouts stopped' | 'disconnected';
  dedupeKey: string;
}>('card-account-problem');
