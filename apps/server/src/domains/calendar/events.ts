import { defineEvent } from '../../platform/events.ts';

/** The tutor's calendar gets no more lessons until it is connected again. */
export const calendarConnectionLost = defineEvent<{
  tutorId: string;
  why: 'access_lost' | 'calendar_deleted';
  /** What it is known by, so that it is told once. */
  occasion: string;
}>('calendar-lost');

/** The tutor moved or deleted a lesson in the calendar; it counts once it is accepted. */
export const externalChangeDetected = defineEvent<{
  tutorId: string;
  sessionId: number;
  studentName: string;
  /** Where it stands in the book. */
  date: string;
  startTime: string;
  /** None when it was deleted; `unfit` when no lesson can be like that. */
  to: { date: string; startTime: string } | 'unfit' | null;
  occasion: string;
}>('calendar-proposed');
