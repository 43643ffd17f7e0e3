import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CARD_EVENT_JOB, CARD_REFUND_JOB } from './job-types.ts';
import { reconcileDueTutors } from './service/reconcile.ts';
import { refundCardPayment } from './service/refunds.ts';
import { processCardEvent } from './service/webhooks.ts';

/** The provider may be down for hours, so attempts are spread over about a day. */
const MAX_ATTEMPTS = 14;

const event = defineJob({
  ...CARD_EVENT_JOB,
  retries: MAX_ATTEMPTS,
  retryDelaySeconds: 5,
  concurrency: 10,
  run: (context, payload) => processCardEvent(context, payload),
});

const refund = defineJob({
  ...CARD_REFUND_JOB,
  retries: MAX_ATTEMPTS,
  retryDelaySeconds: 5,
  concurrency: 5,
  run: (context, payload) => refundCardPayment(context, payload),
});

/** Finds changes whose webhook events never arrived. */
const reconcile = defineJob({
  name: 'reconcile-cards',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  concurrency: 1,
  cron: '*/5 * * * *',
  run: (context) => reconcileDueTutors(context),
});

export const cardJobs = [event, refund, reconcile];
