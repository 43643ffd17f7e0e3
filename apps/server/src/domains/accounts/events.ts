import { defineEvent } from '../../platform/events.ts';

/** Somebody opened a book. */
export const tutorSignedUp = defineEvent<{ tutorId: string }>('tutor-signed-up');

/** The tutor lives by another wall clock from now on. */
export const timeZoneChanged = defineEvent<{ tutorId: string; timeZone: string }>(
  'time-zone-changed',
);

/** The tutor has turned a kind of news or reminder on or off. */
export const notificationSettingsChanged = defineEvent<{ tutorId: string }>('switches-changed');
