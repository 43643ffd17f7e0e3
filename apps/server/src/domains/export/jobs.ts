import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { GENERATE_EXPORT_JOB } from './job-types.ts';
import { deleteExpiredExports } from './service/exports.ts';
import { generateExport, listPendingExports, markExportFailed } from './service/generate-export.ts';

/** Each worker runs one export at a time, because an export reads all of a tutor's data. */
const generateExportJob = defineJob({
  ...GENERATE_EXPORT_JOB,
  retryFor: { hours: 1 },
  isLong: true,
  concurrency: 1,
  run: (context, payload) => generateExport(context, payload),
  onAbandoned: markExportFailed,
  listPending: listPendingExports,
});

const expireExports = defineJob({
  name: 'cleanup-exports',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '*/10 * * * *',
  noAbandonedHandlerReason:
    'It runs again in ten minutes, and an expired export cannot be downloaded.',
  run: (context) => deleteExpiredExports(context),
});

export const exportJobs = [generateExportJob, expireExports];
