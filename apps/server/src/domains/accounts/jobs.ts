import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { deleteExpiredAccountData } from './service/deletion/cleanup-expired.ts';
import { sendAccountEmail, sendGoogleLinkedEmail } from './service/email/account-email.ts';
import { sendSecurityEmail } from './service/email/security-email.ts';
import { rotateAuthenticatorEncryption } from './service/mfa/rotate-encryption.ts';

/** The mail that carries a link: verify an address, choose a new password. */
export const ACCOUNT_EMAIL_JOB = defineJob({
  name: 'account-mail',
  payload: z.object({ linkId: z.uuid() }),
  retries: 8,
  retryDelaySeconds: 2,
  concurrency: 10,
  run: (context, { linkId }) => sendAccountEmail(context, linkId),
});

/** Tells the owner of a book that a sign-in by Google was connected with it. */
export const GOOGLE_LINKED_EMAIL_JOB = defineJob({
  name: 'google-linked-mail',
  payload: z.object({ identityId: z.uuid() }),
  retries: 8,
  retryDelaySeconds: 2,
  concurrency: 5,
  run: (context, { identityId }) => sendGoogleLinkedEmail(context, identityId),
});

/** Tells the owner what was done to the account. */
export const SECURITY_EMAIL_JOB = defineJob({
  name: 'security-mail',
  payload: z.object({ tutorId: z.uuid(), noticeId: z.uuid() }),
  retries: 8,
  retryDelaySeconds: 2,
  concurrency: 10,
  run: (context, notice) => sendSecurityEmail(context, notice),
});

/** Forgets logins, links and rate limits that have run out. */
const cleanup = defineJob({
  name: 'cleanup-accounts',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  concurrency: 1,
  cron: '17 * * * *',
  run: (context) => deleteExpiredAccountData(context),
});

/** Lets an old sealing key be taken out a day after the new one came. */
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
  ACCOUNT_EMAIL_JOB,
  GOOGLE_LINKED_EMAIL_JOB,
  SECURITY_EMAIL_JOB,
  cleanup,
  rotateEncryption,
];
