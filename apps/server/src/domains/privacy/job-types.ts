import * as z from 'zod/mini';

/** Name and payload of the job; what it does stands in jobs.ts. */
export const DELETION_EMAIL_JOB = {
  name: 'deletion-mail',
  payload: z.object({ tutorId: z.uuid() }),
};

/** Tutors who have asked to be deleted are on the agenda under this name. */
export const ACCOUNT_DELETION_WORK = 'account-deletion';
