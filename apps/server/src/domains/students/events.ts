import { defineEvent } from '../../platform/events.ts';

/** The student left the book: what was still to come will not take place. */
export const studentArchived = defineEvent<{ tutorId: string; studentId: number }>(
  'student-archived',
);
