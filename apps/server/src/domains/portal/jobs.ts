import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import {
  PORTAL_CODE_EMAIL_JOB,
  PORTAL_CODE_WHATSAPP_JOB,
  PORTAL_EMAIL_CHANGED_JOB,
  PORTAL_LOGIN_EMAIL_JOB,
} from './job-types.ts';
import { closeStartedRequests } from './service/expire-move-requests.ts';
import { deleteExpiredRecords } from './service/sign-in.ts';
import {
  sendCodeEmail,
  sendCodeWhatsApp,
  sendEmailChangedNotice,
  sendNewLoginEmail,
} from './service/sign-in-codes-and-login-notices.ts';

/** Retries end before the code expires after ten minutes. */
const CODE_JOB = {
  retryFor: { minutes: 8 },
  concurrency: 10,
  noAbandonedHandlerReason: 'The code expires, and the person can ask for another one.',
} as const;

const codeEmail = defineJob({
  ...PORTAL_CODE_EMAIL_JOB,
  ...CODE_JOB,
  run: (context, { codeId }) => sendCodeEmail(context, codeId),
});

const codeWhatsApp = defineJob({
  ...PORTAL_CODE_WHATSAPP_JOB,
  ...CODE_JOB,
  run: (context, { codeId }) => sendCodeWhatsApp(context, codeId),
});

const newLoginEmail = defineJob({
  ...PORTAL_LOGIN_EMAIL_JOB,
  retryFor: { hours: 48 },
  concurrency: 5,
  noAbandonedHandlerReason: 'The person and the tutor see the browser in their lists.',
  run: (context, { loginId }) => sendNewLoginEmail(context, loginId),
});

const emailChanged = defineJob({
  ...PORTAL_EMAIL_CHANGED_JOB,
  retryFor: { hours: 48 },
  concurrency: 5,
  noAbandonedHandlerReason: 'The tutor is notified of the change, with both addresses.',
  run: (context, { codeId }) => sendEmailChangedNotice(context, codeId),
});

/** Deletes expired codes and logins. */
const cleanup = defineJob({
  name: 'cleanup-portal',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '27 * * * *',
  noAbandonedHandlerReason: 'It runs again in an hour, and expired rows are rejected anyway.',
  run: (context) => deleteExpiredRecords(context),
});

/** Closes requests to move lessons that have started. */
const closeMoveRequests = defineJob({
  name: 'close-move-requests',
  payload: z.object({}),
  retryFor: { minutes: 1 },
  concurrency: 1,
  cron: '* * * * *',
  noAbandonedHandlerReason: 'It runs again in a minute.',
  run: (context) => closeStartedRequests(context),
});

export const portalJobs = [
  codeEmail,
  codeWhatsApp,
  newLoginEmail,
  emailChanged,
  cleanup,
  closeMoveRequests,
];
