import { defineEvent } from '../../platform/events.ts';

/** A student was added or changed, and may have a different payer. */
export const studentSaved = defineEvent<{ tutorId: string; studentId: number }>('student-saved');

/** A student was archived: future sessions will not take place. */
export const studentArchived = defineEvent<{ tutorId: string; studentId: number }>(
  'student-archived',
);
