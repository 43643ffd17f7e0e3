import { defineEvent } from '../../platform/events.ts';

/** A subject has another name, or another fee for lessons to come. */
export const subjectChanged = defineEvent<{ tutorId: string; subjectId: number }>(
  'subject-changed',
);
