import { defineEvent } from '../../platform/events.ts';

/** The subject's name or default fee may have changed. */
export const subjectChanged = defineEvent<{
  tutorId: string;
  subjectId: number;
  previousName: string;
  name: string;
}>('subject-changed');
