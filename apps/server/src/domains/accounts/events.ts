import { defineEvent } from '../../platform/events.ts';

/** The tutor lives by another wall clock from now on. */
export const timeZoneChanged = defineEvent<{ tutorId: string; timeZone: string }>(
  'time-zone-changed',
);
