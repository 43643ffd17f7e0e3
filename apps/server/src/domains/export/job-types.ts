import * as z from 'zod/mini';

export const MAKE_EXPORT_JOB = {
  name: 'make-export',
  payload: z.object({ tutorId: z.uuid(), exportId: z.number() }),
};

/** After this many attempts the export is marked as failed. */
export const EXPORT_MAX_ATTEMPTS = 4;

/** Kind in tenant_schedule: delete a tutor's expired export. */
export const EXPORT_EXPIRY_WORK = 'exports';

/** An export can be downloaded for this long. */
export const EXPORT_RETENTION_DAYS = 1;
