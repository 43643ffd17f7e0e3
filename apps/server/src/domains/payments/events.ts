import { defineEvent } from '../../platform/events.ts';

/** A payer has reported a bank transfer. No payment has been recorded yet. */
export const transferClaimed = defineEvent<{ tutorId: string; familyId: number }>(
  'transfer-claimed',
);

export const transferClaimWithdrawn = defineEvent<{ tutorId: string; familyId: number }>(
  'transfer-claim-withdrawn',
);

/** A payment, credit note, voided invoice or reversal has reduced the amount owed, so an open checkout may be for too much. */
export const amountOwedReduced = defineEvent<{ tutorId: string; familyIds: readonly number[] }>(
  'amount-owed-reduced',
);

/** The tutor has requested a refund of a card payment. */
export const refundRequested = defineEvent<{ tutorId: string; requestId: number }>(
  'refund-requested',
);

/** An instalment was not paid in full by its due date. Published once for each instalment. */
export const instalmentMissed = defineEvent<{
  tutorId: string;
  familyId: number;
  planId: number;
  position: number;
  dueOn: string;
  /** The outstanding amount of the instalment. */
  amount: number;
  currency: string;
  isPartPaid: boolean;
}>('instalment-missed');

interface ChargeQueryFacts {
  tutorId: string;
  queryId: number;
  familyId: number;
  contactId: number;
  /** The contact's first name. */
  contactName: string;
  /** The student's first name; null for a charge that is not for a single student. */
  studentName: string | null;
  description: string;
  date: string;
}

/** A family has asked about a charge. */
export const chargeQueried = defineEvent<ChargeQueryFacts>('charge-queried');

export const chargeQueryAnswered = defineEvent<
  ChargeQueryFacts & { isOwed: boolean; answer: string | null }
>('charge-query-answered');
