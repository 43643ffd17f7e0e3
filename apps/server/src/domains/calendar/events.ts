import { defineEvent } from '../../platform/events.ts';

/** Emitted when lessons can no longer be sent to the tutor's calendar. Syncing resumes when the tutor reconnects. */
export const calendarConnectionLost = defineEvent<{
  tutorId: string;
  reason: 'access_lost' | 'calendar_deleted';
  dedupeKey: string;
}>('calendar-connection-lost');

/** The tutor moved or deleted a lesson in Google Calendar. The change takes effect once the tutor accepts it. */
export const externalChangeDetected = defineEvent<{
  tutorId: string;
  sessionId: number;
  studentName: string;
  /** The date and time of the session in Lessonbook. */
  date: string;
  startTime: string;
  /** `null` if the event was deleted; `invalid` if its times are not possible for a lesson. */
  to: { date: string; startTime: string } | 'invalid' | null;
  dedupeKey: string;
}>('external-change-detected');
