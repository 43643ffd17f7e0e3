import * as z from 'zod/mini';

/** The `kind` of the tenant_schedule rows that hold the time of each connected tutor's next sync. */
export const CALENDAR_SYNC_WORK = 'calendar';

export const CALENDAR_SYNC_JOB = {
  name: 'calendar-sync',
  payload: z.object({ tutorId: z.uuid() }),
};
