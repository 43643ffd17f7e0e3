import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CALENDAR_SYNC_JOB } from './job-types.ts';
import { enqueueDueSyncs } from './service/schedule-sync.ts';
import { syncCalendar } from './service/sync.ts';

const sync = defineJob({
  ...CALENDAR_SYNC_JOB,
  retryFor: { minutes: 5 },
  concurrency: 10,
  noAbandonedHandlerReason:
    'A failed sync is shown in Settings and schedules its own next run; tenant_schedule makes a crashed one due again.',
  run: (context, payload) => syncCalendar(context, payload),
});

const enqueueDue = defineJob({
  name: 'enqueue-calendar-syncs',
  payload: z.object({}),
  retryFor: { minutes: 1 },
  concurrency: 1,
  cron: '* * * * *',
  noAbandonedHandlerReason: 'It runs again in a minute.',
  run: (context) => enqueueDueSyncs(context),
});

export const calendarJobs = [sync, enqueueDue];
