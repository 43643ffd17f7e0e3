import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { DELETION_EMAIL_JOB } from './job-types.ts';
import { deleteDueAccounts } from './service/delete-accounts.ts';
import { sendDeletionScheduledEmail } from './service/deletion-email.ts';
import { purgeExpiredRecords } from './service/retention-purge.ts';

const deletionEmail = defineJob({
  ...DELETION_EMAIL_JOB,
  retries: 8,
  retryDelaySeconds: 5,
  concurrency: 5,
  run: (context, { tutorId }) => sendDeletionScheduledEmail(context, tutorId),
});

/** Deletes accounts whose grace period has ended. */
const deletion = defineJob({
  name: 'delete-accounts',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  concurrency: 1,
  cron: '*/10 * * * *',
  run: (context) => deleteDueAccounts(context),
});

const retentionPurge = defineJob({
  name: 'retention-purge',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  concurrency: 1,
  cron: '27 3 * * *',
  run: (context) => purgeExpiredRecords(context),
});

export const privacyJobs = [deletionEmail, deletion, retentionPurge];
