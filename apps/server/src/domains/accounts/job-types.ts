import * as z from 'zod/mini';

export const ACCOUNT_EMAIL_JOB = {
  name: 'account-mail',
  payload: z.object({ tokenId: z.uuid() }),
};

export const GOOGLE_LINKED_EMAIL_JOB = {
  name: 'google-linked-mail',
  payload: z.object({ identityId: z.uuid() }),
};

export const SECURITY_EMAIL_JOB = {
  name: 'security-mail',
  payload: z.object({ tutorId: z.uuid(), emailId: z.uuid() }),
};

/** Scheduled when a row that expires is created, such as a login or an email token. */
export const ACCOUNT_CLEANUP_WORK = 'cleanup-accounts';

/** Scheduled while a tutor has an authenticator app. */
export const ROTATE_ENCRYPTION_WORK = 'rotate-totp-encryption';
