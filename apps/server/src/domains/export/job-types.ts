import * as z from 'zod/mini';

/** Name and payload of the job that makes the file; what it does stands in jobs.ts. */
export const MAKE_EXPORT_JOB = {
  name: 'make-export',
  payload: z.object({ tutorId: z.uuid(), exportId: z.number() }),
};

/** After this many tries the tutor is told that it did not work. */
export const EXPORT_MAX_ATTEMPTS = 4;

/** Tutors whose file runs out are on the agenda under this name. */
export const EXPORT_EXPIRY_WORK = 'exports';
