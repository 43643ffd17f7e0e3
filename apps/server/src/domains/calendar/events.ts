import { defineEvent } from '../../platform/events.ts';

/** Lessons are no longer sent to the tutor's calendar until the tutor connects it again. */
export const calendarConnectionLost = defineEvent<{
  tutorId: string;
  reason: 'access_lost' | 'calendar_deleted';
  dedupeKey: string;
}>('calendar-connection-lost');

/** The tutor moved or deleted a lesson in Google Calendar; it takes effect when the tutor accepts it. */
export const externalChangeDetected = defineEvent<{
  tutorId: string;
  sessionId: number;
  studentName: string;
  /** Date and time of the session in Lessonbook. */
  date: string;
  startTime: string;
  /** `null` when the event was deleted; `invalid` when no lesson can have its times. */
  to: { date: string; startTime: string } | 'invalid' | null;
  dedupeKey: string;
}>('external-change-detected');
