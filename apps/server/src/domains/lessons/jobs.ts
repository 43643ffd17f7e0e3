import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { moveHorizons } from './service/horizon.ts';

/** Keeps a year of sessions ahead of every tutor who has a lesson that goes on. */
const horizon = defineJob({
  name: 'generate-sessions',
  payload: z.object({}),
  retries: 3,
  retryDelaySeconds: 60,
  sideBySide: 1,
  cron: '41 * * * *',
  run: (context) => moveHorizons(context),
});

export const lessonJobs = [horizon];
