import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { extendAllSeries } from './service/rolling-generation.ts';

/** Keeps sessions generated a year ahead for every ongoing recurring lesson. */
const extendSeries = defineJob({
  name: 'generate-sessions',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '41 * * * *',
  whyNoAbandonedHandler: 'It runs again in an hour, and the generated sessions last for months.',
  run: (context) => extendAllSeries(context),
});

export const lessonJobs = [extendSeries];
