import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { extendAllSeries } from './service/rolling-generation.ts';

/** Ensures that every ongoing recurring lesson has sessions for the year ahead. */
const extendSeries = defineJob({
  name: 'generate-sessions',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '41 * * * *',
  noAbandonedHandlerReason:
    'The job runs again in an hour, and sessions are generated months ahead.',
  run: (context) => extendAllSeries(context),
});

export const lessonJobs = [extendSeries];
