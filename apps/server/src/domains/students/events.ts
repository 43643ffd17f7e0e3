import { defineEvent } from '../../platform/events.ts';

/** A student was added or changed. A new main contact pays for everything not yet charged. */
export const studentSaved = defineEvent<{
  tutorId: string;
  studentId: number;
  hasNewMainContact: boolean;
}>('student-saved');

/** A student was archived, so future sessions will not take place. */
export const studentArchived = defineEvent<{ tutorId: string; studentId: number }>(
  'student-archived',
);
