import { defineEvent } from '../../platform/events.ts';

/** A student was added or changed, so the payer may be different. */
export const studentSaved = defineEvent<{ tutorId: string; studentId: number }>('student-saved');

/** A student was archived, so future sessions will not take place. */
export const studentArchived = defineEvent<{ tutorId: string; studentId: number }>(
  'student-archived',
);
