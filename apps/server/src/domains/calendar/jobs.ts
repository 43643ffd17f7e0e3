import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CALENDAR_SYNC_JOB, enqueueDueSyncs } from './service/schedule-sync.ts';
import { syncCalendar } from './service/sync.ts';

/** What fails is planned anew by the work itself; the queue's own tries are for workers that die. */
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
