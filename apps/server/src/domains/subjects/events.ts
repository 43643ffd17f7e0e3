import { defineEvent } from '../../platform/events.ts';

/** The name, or the fee for future lessons, was changed. */
export const subjectChanged = defineEvent<{ tutorId: string; subjectId: number }>(
  'subject-changed',
);
