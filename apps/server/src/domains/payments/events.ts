import { defineEvent } from '../../platform/events.ts';

/** A payer says that money is on its way. Nothing is paid by that. */
export const transferClaimed = defineEvent<{ tutorId: string; familyId: number }>(
  'transfer-claimed',
);

/** The tutor wants money given back that came by card. */
export const refundRequested = defineEvent<{ tutorId: string; requestId: number }>(
  'refund-requested',
);
