import { defineEvent } from '../../platform/events.ts';

/** A payer reports a bank transfer. No payment is recorded yet. */
export const transferClaimed = defineEvent<{ tutorId: string; familyId: number }>(
  'transfer-claimed',
);

/** The tutor requested the refund of a card payment. */
export const refundRequested = defineEvent<{ tutorId: string; requestId: number }>(
  'refund-requested',
);
