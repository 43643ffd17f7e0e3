import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { sendAccountMail } from './service/account-mail.ts';
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

/** Forgets logins, links and rate limits that have run out. */
const tidy = defineJob({
  name: 'tidy-accounts',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 30,
  sideBySide: 1,
  cron: '17 * * * *',
  run: (context) => tidyAccounts(context),
});

export const accountJobs = [accountMail, tidy];
