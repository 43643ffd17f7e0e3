import * as z from 'zod/mini';

export const DELETION_EMAIL_JOB = {
  name: 'deletion-mail',
  payload: z.object({ tutorId: z.uuid() }),
};

/** The tenant_schedule kind for deleting an account after its grace period. */
export const ACCOUNT_DELETION_WORK = 'account-deletion';

/** The tenant_schedule kind for deleting a tutor's records that are past their retention period. */
export const RETENTION_PURGE_WORK = 'retention-purge';
export const PURGE_INTERVAL_DAYS = 7;
