import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { deleteDueAccounts } from './service/deletion.ts';
import { EXPORT_TRIES, MAKE_EXPORT } from './service/export-job.ts';
import { tidyExports } from './service/exports.ts';
import { forgetTraces } from './service/forget-traces.ts';
import { LEAVING_MAIL } from './service/leaving-job.ts';
import { sendLeavingMail } from './service/leaving-mail.ts';
import { makeExport } from './service/make-export.ts';

/** The file with everything. One at a time for each worker: it reads a whole book. */
const exportJob = defineJob({
  ...MAKE_EXPORT,
  retries: EXPORT_TRIES,
  retryDelaySeconds: 5,
  sideBySide: 1,
  run: (context, payload) => makeExport(context, payload),
});

const tidy = defineJob({
  name: 'cleanup-exports',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  sideBySide: 1,
  cron: '*/10 * * * *',
  run: (context) => tidyExports(context),
});

const leavingMail = defineJob({
  ...LEAVING_MAIL,
  retries: 8,
  retryDelaySeconds: 5,
  sideBySide: 5,
  run: (context, { tutorId }) => sendLeavingMail(context, tutorId),
});

/** Accounts whose days of grace are over. */
const deletion = defineJob({
  name: 'delete-accounts',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  sideBySide: 1,
  cron: '*/10 * * * *',
  run: (context) => deleteDueAccounts(context),
});

/** What is kept no longer than it serves. */
const traces = defineJob({
  name: 'retention-purge',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  sideBySide: 1,
  cron: '27 3 * * *',
  run: (context) => forgetTraces(context),
});

export const ownDataJobs = [exportJob, tidy, leavingMail, deletion, traces];
