import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CARD_EVENT_JOB, CARD_REFUND_JOB, EXPIRE_CHECKOUTS_JOB } from './job-types.ts';
import { expireOpenCheckouts } from './service/checkout.ts';
import { reconcileDueTutors } from './service/reconcile.ts';
import { abandonRefund, listPendingRefunds, refundCardPayment } from './service/refunds.ts';
import { abandonCardEvent, processCardEvent } from './service/webhooks.ts';

/** The provider may be down for a long time, and it retries its own events for three days. */
const RETRY_FOR = { days: 3 };

const event = defineJob({
  ...CARD_EVENT_JOB,
  retryFor: RETRY_FOR,
  concurrency: 10,
  run: (context, payload) => processCardEvent(context, payload),
  onAbandoned: abandonCardEvent,
});

const refund = defineJob({
  ...CARD_REFUND_JOB,
  retryFor: RETRY_FOR,
  concurrency: 5,
  run: (context, payload) => refundCardPayment(context, payload),
  onAbandoned: abandonRefund,
  listPending: listPendingRefunds,
});

const expireCheckouts = defineJob({
  ...EXPIRE_CHECKOUTS_JOB,
  retryFor: { hours: 24 },
  concurrency: 5,
  run: (context, { tutorId, familyId }) => expireOpenCheckouts(context, tutorId, familyId),
  noAbandonedHandlerReason:
    'The provider expires a checkout after a day. A payment made before then is recorded as credit, and both sides are notified.',
});

/** Finds changes whose webhook events never arrived. */
const reconcile = defineJob({
  name: 'reconcile-cards',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '*/5 * * * *',
  noAbandonedHandlerReason: 'It runs again in five minutes.',
  run: (context) => reconcileDueTutors(context),
});

export const cardJobs = [event, refund, expireCheckouts, reconcile];
