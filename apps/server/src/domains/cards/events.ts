import { defineEvent } from '../../platform/events.ts';

export const cardPaymentReceived = defineEvent<{
  tutorId: string;
  familyId: number;
  paymentId: number;
  amount: number;
  currency: string;
}>('card-payment-received');

/** A dispute was opened or won, or a requested refund failed. */
export const cardReversalChanged = defineEvent<{
  tutorId: string;
  change: 'disputed' | 'dispute won' | 'refund failed';
  paymentId: number;
  amount: number;
  currency: string;
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
