import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { checkInstalments } from './service/instalment-plans.ts';

/** Marks instalments as due, and notifies tutors about missed instalments. */
const instalments = defineJob({
  name: 'check-instalments',
  payload: z.object({}),
  retryFor: { minutes: 1 },
  concurrency: 1,
  cron: '* * * * *',
  noAbandonedHandlerReason: 'The job runs again in a minute.',
  run: (context) => checkInstalments(context),
});

export const paymentJobs = [instalments];
