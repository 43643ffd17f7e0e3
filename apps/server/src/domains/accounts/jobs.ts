import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { ACCOUNT_EMAIL_JOB, GOOGLE_LINKED_EMAIL_JOB, SECURITY_EMAIL_JOB } from './job-types.ts';
import { deleteExpiredAuthRecords } from './service/delete-expired-auth-records.ts';
import { sendAccountEmail, sendGoogleLinkedEmail } from './service/email/account-email.ts';
import { sendSecurityEmail } from './service/email/security-email.ts';
import { rotateAuthenticatorEncryption } from './service/mfa/rotate-encryption.ts';

/** Sends the email with a link to verify an address or reset a password. */
const accountEmail = defineJob({
  ...ACCOUNT_EMAIL_JOB,
  retries: 8,
  retryDelaySeconds: 2,
  concurrency: 10,
  run: (context, { tokenId }) => sendAccountEmail(context, tokenId),
});

const googleLinkedEmail = defineJob({
  ...GOOGLE_LINKED_EMAIL_JOB,
  retries: 8,
  retryDelaySeconds: 2,
  concurrency: 5,
  run: (context, { identityId }) => sendGoogleLinkedEmail(context, identityId),
});

const securityEmail = defineJob({
  ...SECURITY_EMAIL_JOB,
  retries: 8,
  retryDelaySeconds: 2,
  concurrency: 10,
  run: (context, payload) => sendSecurityEmail(context, payload),
});

/** Deletes expired logins, email tokens and rate-limit buckets. */
const cleanup = defineJob({
  name: 'cleanup-accounts',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  concurrency: 1,
  cron: '17 * * * *',
  run: (context) => deleteExpiredAuthRecords(context),
});

/** Allows an operator to remove an old encryption key a day after adding a new one. */
const rotateEncryption = defineJob({
  name: 'rotate-totp-encryption',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  concurrency: 1,
  cron: '43 * * * *',
  run: (context) => rotateAuthenticatorEncryption(context),
});

export const accountJobs = [
  accountEmail,
  googleLinkedEmail,
  securityEmail,
  cleanup,
  rotateEncryption,
];
