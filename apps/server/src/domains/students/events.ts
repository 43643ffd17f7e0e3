import { defineEvent } from '../../platform/events.ts';

/** A student was added or changed: whoever pays may be somebody new. */
export const studentSaved = defineEvent<{ tutorId: string; studentId: number }>('student-saved');

/** The student left the book: what was still to come will not take place. */
export const studentArchived = defineEvent<{ tutorId: string; studentId: number }>(
  'student-archived',
);
