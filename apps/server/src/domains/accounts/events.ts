import { defineEvent } from '../../platform/events.ts';

export const tutorSignedUp = defineEvent<{ tutorId: string }>('tutor-signed-up');

export const timeZoneChanged = defineEvent<{ tutorId: string; timeZone: string }>(
  'time-zone-changed',
);

/** Published when a notification setting changes, and when a scheduled deletion is cancelled. */
export const notificationSettingsChanged = defineEvent<{ tutorId: string }>(
  'notification-settings-changed',
);
