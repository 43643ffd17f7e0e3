import * as z from 'zod/mini';

export const GENERATE_EXPORT_JOB = {
  name: 'make-export',
  payload: z.object({ tutorId: z.uuid(), exportId: z.number() }),
};

/** The tenant_schedule kind for deleting a tutor's expired export. */
export const EXPORT_EXPIRY_WORK = 'exports';

/** How long an export can be downloaded. */
export const EXPORT_RETENTION_DAYS = 1;
