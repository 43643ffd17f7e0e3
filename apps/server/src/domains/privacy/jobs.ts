import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { DELETION_EMAIL_JOB } from './job-types.ts';
import {
  abandonDeletionScheduledEmail,
  sendDeletionScheduledEmail,
} from './service/account-deletion-emails.ts';
import { deleteDueAccounts } from './service/delete-accounts.ts';
import { purgeExpiredRecords } from './service/retention-purge.ts';

const deletionEmail = defineJob({
  ...DELETION_EMAIL_JOB,
  retryFor: { hours: 48 },
  concurrency: 5,
  run: (context, { tutorId }) => sendDeletionScheduledEmail(context, tutorId),
  onAbandoned: (context, { tutorId }) => abandonDeletionScheduledEmail(context, tutorId),
});

/** Deletes accounts whose grace period has ended. */
const deletion = defineJob({
  name: 'delete-accounts',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '*/10 * * * *',
  noAbandonedHandlerReason: 'It runs again in ten minutes.',
  run: (context) => deleteDueAccounts(context),
});

const retentionPurge = defineJob({
  name: 'retention-purge',
  payload: z.object({}),
  retryFor: { hours: 6 },
  concurrency: 1,
  cron: '27 3 * * *',
  noAbandonedHandlerReason: 'It runs again the next night.',
  run: (context) => purgeExpiredRecords(context),
});

export const privacyJobs = [deletionEmail, deletion, retentionPurge];
