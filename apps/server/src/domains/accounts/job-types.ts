import * as z from 'zod/mini';

const emailToken = z.object({ tutorId: z.uuid(), tokenId: z.uuid() });

/** Emails with a link that is valid for days. */
export const ACCOUNT_EMAIL_JOB = { name: 'account-mail', payload: emailToken };

/** Emails with a link that is valid for one hour. */
export const SHORT_LIVED_LINK_EMAIL_JOB = { name: 'password-reset-mail', payload: emailToken };

export const GOOGLE_LINKED_EMAIL_JOB = {
  name: 'google-linked-mail',
  payload: z.object({ tutorId: z.uuid(), identityId: z.uuid() }),
};

export const SECURITY_EMAIL_JOB = {
  name: 'security-mail',
  payload: z.object({ tutorId: z.uuid(), emailId: z.uuid() }),
};

/** Scheduled when a row that expires is created, such as a login or an email token. */
export const ACCOUNT_CLEANUP_WORK = 'cleanup-accounts';

/** Scheduled while a tutor has an authenticator app. */
export const ROTATE_ENCRYPTION_WORK = 'rotate-totp-encryption';

/** Scheduled when the removal of two-step login is requested. */
export const MFA_REMOVAL_WORK = 'mfa-removal';
