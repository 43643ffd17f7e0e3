import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CALENDAR_SYNC_JOB } from './job-types.ts';
import { enqueueDueSyncs } from './service/schedule-sync.ts';
import { syncCalendar } from './service/sync.ts';

/** A failed sync schedules its own next run; the queue's retries only cover workers that crash. */
const sync = defineJob({
  ...CALENDAR_SYNC_JOB,
  retries: 3,
  retryDelaySeconds: 5,
  concurrency: 10,
  run: (context, payload) => syncCalendar(context, payload),
});

const enqueueDue = defineJob({
  name: 'enqueue-calendar-syncs',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 20,
  concurrency: 1,
  cron: '* * * * *',
  run: (context) => enqueueDueSyncs(context),
});

export const calendarJobs = [sync, enqueueDue];
