import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { sendAccountMail } from './service/account-mail.ts';
import { sendGoogleLinkedMail } from './service/google-mail.ts';
import { resealAuthenticators } from './service/reseal.ts';
import { sendSecurityMail } from './service/security-mail.ts';
import { tidyAccounts } from './service/tidy.ts';

/** The mail that carries a link: verify an address, choose a new password. */
export const accountMail = defineJob({
  name: 'account-mail',
  payload: z.object({ linkId: z.uuid() }),
  retries: 8,
  retryDelaySeconds: 2,
  sideBySide: 10,
  run: (context, { linkId }) => sendAccountMail(context, linkId),
});

/** Tells the owner of a book that a sign-in by Google was connected with it. */
export const googleLinkedMail = defineJob({
  name: 'google-linked-mail',
  payload: z.object({ identityId: z.uuid() }),
  retries: 8,
  retryDelaySeconds: 2,
  sideBySide: 5,
  run: (context, { identityId }) => sendGoogleLinkedMail(context, identityId),
});

/** Tells the owner what was done to the account. */
export const securityMail = defineJob({
  name: 'security-mail',
  payload: z.object({ tutorId: z.uuid(), noticeId: z.uuid() }),
  retries: 8,
  retryDelaySeconds: 2,
  sideBySide: 10,
  run: (context, notice) => sendSecurityMail(context, notice),
});

/** Forgets logins, links and rate limits that have run out. */
const tidy = defineJob({
  name: 'cleanup-accounts',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  sideBySide: 1,
  cron: '17 * * * *',
  run: (context) => tidyAccounts(context),
});

/** Lets an old sealing key be taken out a day after the new one came. */
const reseal = defineJob({
  name: 'rotate-totp-encryption',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  sideBySide: 1,
  cron: '43 * * * *',
  run: (context) => resealAuthenticators(context),
});

export const accountJobs = [accountMail, googleLinkedMail, securityMail, tidy, reseal];
