import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { resetDemo } from './service/reset-demo.ts';

/** Runs at night, when the demo is least used. */
const reset = defineJob({
  name: 'reset-demo',
  payload: z.object({}),
  retryFor: { hours: 2 },
  concurrency: 1,
  cron: '10 4 * * *',
  noAbandonedHandlerReason: 'The previous demo stays until the next night.',
  run: (context) => resetDemo(context),
});

export const demoJobs = [reset];
