import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { CALENDAR_SYNC, wakeDue } from './service/plan.ts';
import { syncCalendar } from './service/sync.ts';

/** What fails is planned anew by the work itself; the queue's own tries are for workers that die. */
const sync = defineJob({
  ...CALENDAR_SYNC,
  retries: 3,
  retryDelaySeconds: 5,
  sideBySide: 10,
  run: (context, payload) => syncCalendar(context, payload),
});

const rounds = defineJob({
  name: 'enqueue-calendar-syncs',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 20,
  sideBySide: 1,
  cron: '* * * * *',
  run: (context) => wakeDue(context),
});

export const calendarJobs = [sync, rounds];
