import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { EXPORT_MAX_ATTEMPTS, MAKE_EXPORT_JOB } from './job-types.ts';
import { deleteExpiredExports } from './service/exports.ts';
import { makeExport } from './service/make-export.ts';

/** Each worker makes one export at a time, because it reads all of a tutor's data. */
const makeExportJob = defineJob({
  ...MAKE_EXPORT_JOB,
  retries: EXPORT_MAX_ATTEMPTS,
  retryDelaySeconds: 5,
  concurrency: 1,
  run: (context, payload) => makeExport(context, payload),
});

const expireExports = defineJob({
  name: 'cleanup-exports',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  concurrency: 1,
  cron: '*/10 * * * *',
  run: (context) => deleteExpiredExports(context),
});

export const exportJobs = [makeExportJob, expireExports];
