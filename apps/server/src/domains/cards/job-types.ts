import * as z from 'zod/mini';

/** Processes a webhook event. */
export const CARD_EVENT_JOB = {
  name: 'card-event',
  payload: z.object({
    tutorId: z.uuid(),
    accountId: z.string(),
    stripeSessionId: z.nullable(z.string()),
    paymentIntent: z.nullable(z.string()),
  }),
};

/** Expires a family's open checkouts after the amount it owes has been reduced. */
export const EXPIRE_CHECKOUTS_JOB = {
  name: 'expire-checkouts',
  payload: z.object({ tutorId: z.uuid(), familyId: z.number() }),
};

/** Requests a refund from the provider. */
export const CARD_REFUND_JOB = {
  name: 'card-refund',
  payload: z.object({ tutorId: z.uuid(), requestId: z.number() }),
};

/** The tenant_schedule kind for comparing a tutor's card payments with the provider's records. */
export const CARD_RECONCILE_WORK = 'cards';
