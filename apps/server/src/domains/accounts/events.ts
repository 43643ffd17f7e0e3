import { defineEvent } from '../../platform/events.ts';
import type { EmailTokenPurpose } from './rules/expirations.ts';

export const tutorSignedUp = defineEvent<{ tutorId: string }>('tutor-signed-up');

export const timeZoneChanged = defineEvent<{
  tutorId: string;
  timeZone: string;
  previousTimeZone: string;
}>('time-zone-changed');

/** An email to the tutor could not be sent. */
export const accountEmailFailed = defineEvent<{
  tutorId: string;
  email:
    | { kind: EmailTokenPurpose | 'google-linked' }
    /** `about` is the subject of the email. */
    | { kind: 'security'; about: string };
  /** The tutor receives one notification per key. */
  dedupeKey: string;
}>('account-email-failed');

/** Published when a notification setting changes, and when a scheduled deletion is cancelled. */
export const notificationSettingsChanged = defineEvent<{ tutorId: string }>(
  'notification-settings-changed',
);
