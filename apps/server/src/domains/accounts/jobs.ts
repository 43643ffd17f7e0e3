import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import {
  ACCOUNT_EMAIL_JOB,
  GOOGLE_LINKED_EMAIL_JOB,
  SECURITY_EMAIL_JOB,
  SHORT_LIVED_LINK_EMAIL_JOB,
} from './job-types.ts';
import { deleteExpiredAuthRecords } from './service/delete-expired-auth-records.ts';
import {
  abandonSecurityEmail,
  listPendingSecurityEmails,
  sendSecurityEmail,
} from './service/email/security-email.ts';
import {
  abandonAccountEmail,
  abandonGoogleLinkedEmail,
  listPendingAccountEmails,
  listPendingGoogleLinkedEmails,
  sendAccountEmail,
  sendGoogleLinkedEmail,
} from './service/email/send-account-emails.ts';
import { removeDueMfa } from './service/mfa/mfa-removal.ts';
import { rotateAuthenticatorEncryption } from './service/mfa/rotate-encryption.ts';

/** Retries end before the links expire, and before the announced removal of two-step login. */
const accountEmail = defineJob({
  ...ACCOUNT_EMAIL_JOB,
  retryFor: { hours: 48 },
  concurrency: 10,
  run: (context, ids) => sendAccountEmail(context, ids),
  onAbandoned: abandonAccountEmail,
  listPending: listPendingAccountEmails(['verify-email', 'revert-email', 'keep-two-step']),
});

/** Retries end before the link expires after an hour. */
const oneHourLinkEmail = defineJob({
  ...SHORT_LIVED_LINK_EMAIL_JOB,
  retryFor: { minutes: 50 },
  concurrency: 10,
  run: (context, ids) => sendAccountEmail(context, ids),
  onAbandoned: abandonAccountEmail,
  listPending: listPendingAccountEmails(['reset-password', 'remove-two-step']),
});

const googleLinkedEmail = defineJob({
  ...GOOGLE_LINKED_EMAIL_JOB,
  retryFor: { hours: 48 },
  concurrency: 5,
  run: (context, { identityId }) => sendGoogleLinkedEmail(context, identityId),
  onAbandoned: abandonGoogleLinkedEmail,
  listPending: listPendingGoogleLinkedEmails,
});

const securityEmail = defineJob({
  ...SECURITY_EMAIL_JOB,
  retryFor: { hours: 48 },
  concurrency: 10,
  run: (context, payload) => sendSecurityEmail(context, payload),
  onAbandoned: abandonSecurityEmail,
  listPending: listPendingSecurityEmails,
});

/** Deletes expired logins, email tokens and rate-limit buckets. */
const cleanup = defineJob({
  name: 'cleanup-accounts',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '17 * * * *',
  noAbandonedHandlerReason: 'It runs again in an hour, and expired rows are rejected anyway.',
  run: (context) => deleteExpiredAuthRecords(context),
});

/** Allows an operator to remove an old encryption key a day after adding a new one. */
const rotateEncryption = defineJob({
  name: 'rotate-totp-encryption',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '43 * * * *',
  noAbandonedHandlerReason: 'It runs again in an hour.',
  run: (context) => rotateAuthenticatorEncryption(context),
});

const removeMfa = defineJob({
  name: 'remove-mfa',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '*/15 * * * *',
  noAbandonedHandlerReason: 'It runs again in 15 minutes.',
  run: (context) => removeDueMfa(context),
});

export const accountJobs = [
  accountEmail,
  oneHourLinkEmail,
  googleLinkedEmail,
  securityEmail,
  cleanup,
  rotateEncryption,
  removeMfa,
];
