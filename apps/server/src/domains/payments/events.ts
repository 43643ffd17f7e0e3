import { defineEvent } from '../../platform/events.ts';

/** A payer has reported a bank transfer. No payment has been recorded yet. */
export const transferClaimed = defineEvent<{ tutorId: string; familyId: number }>(
  'transfer-claimed',
);

/** The tutor has requested a refund of a card payment. */
export const refundRequested = defineEvent<{ tutorId: string; requestId: number }>(
  'refund-requested',
);
