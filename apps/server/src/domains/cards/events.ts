import { defineEvent } from '../../platform/events.ts';

/** A card payment has arrived. */
export const cardPaymentReceived = defineEvent<{
  tutorId: string;
  familyId: number;
  paymentId: number;
  amount: number;
  currency: string;
}>('card-payment-arrived');

/** A bank took money back, or gave it back to the tutor; or a refund that was asked for did not go through. */
export const cardReversalChanged = defineEvent<{
  tutorId: string;
  what: 'disputed' | 'dispute won' | 'refund failed';
  paymentId: number;
  amount: number;
  currency: string;
  /** What it is known by, so that it is told once. */
  occasion: string;
}>('card-money-moved');

/** The provider pays nothing out any more, or does not let us act for the tutor. */
export const cardAccountProblem = defineEvent<{
  tutorId: string;
  what: 'payouts stopped' | 'disconnected';
  occasion: string;
}>('card-account-troubled');
