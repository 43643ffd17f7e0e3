import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { acceptOverlaps, IdParams, id } from './schema-fields.ts';

/* Sync with the tutor's Google Calendar, and a private iCalendar feed for other calendar apps. */

export const CALENDAR_PROBLEMS = [
  /** Access was revoked or has expired; the tutor has to reconnect. */
  'access_lost',
  /** The tutor deleted our calendar in Google; reconnecting creates a new one. */
  'calendar_deleted',
  /** Google is not responding; retried automatically. */
  'unreachable',
  /** Rate limited by Google; resumes automatically. */
  'busy',
  /** Google permanently rejects an event. */
  'refused',
] as const;
export type CalendarProblem = (typeof CALENDAR_PROBLEMS)[number];

export const CalendarStatus = z.object({
  /** Whether lessons are sent to Google. */
  connected: z.boolean(),
  /** Whether this server is configured for Google Calendar. */
  offered: z.boolean(),
  problem: z.nullable(z.enum(CALENDAR_PROBLEMS)),
  lastSyncAt: z.nullable(z.string()),
  /** When the next retry after a temporary problem is due. */
  nextTryAt: z.nullable(z.string()),
  /** The number of lessons that belong in the calendar, and how many of them are not synced yet. */
  lessons: z.number(),
  waiting: z.number(),
  /** Whether the first full sync is still running. */
  initialSyncRunning: z.boolean(),
  /** Whether lessons can use Google Meet: connected, and the Google account is not known to disallow it. */
  offersMeet: z.boolean(),
  /** How many lessons have no Google Meet link because Google couldn't create it. */
  meetFailures: z.number(),
});
export type CalendarStatus = z.infer<typeof CalendarStatus>;

/** A change the tutor made in Google; it takes effect only once the tutor accepts it here. */
export const ExternalChange = z.object({
  id: z.number(),
  sessionId: z.number(),
  kind: z.enum(['moved', 'deleted']),
  /** The session's time in Lessonbook. */
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  title: z.string(),
  studentName: z.string(),
  /** The time in Google; null if the event was deleted or has a time no lesson can have (all day, past midnight). */
  to: z.nullable(z.object({ date: z.string(), startTime: z.string(), endTime: z.string() })),
});
export type ExternalChange = z.infer<typeof ExternalChange>;

export const CalendarFeed = z.object({
  /** For calendar apps; gives read access to the schedule without a login. */
  url: z.string(),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

const FeedParams = z.object({ token: z.string().check(z.minLength(20), z.maxLength(100)) });

export const calendar = defineEndpoints({
  calendarStatus: {
    method: 'GET',
    path: '/api/google/calendar/status',
    access: 'login',
    summary: 'Connection and sync status of Google Calendar',
    reply: CalendarStatus,
  },
  connectCalendar: {
    method: 'GET',
    path: '/api/google/auth',
    access: 'login',
    requires: 'recent-auth',
    summary: 'The URL of the Google consent page',
    reply: z.object({ authUrl: z.string() }),
  },
  calendarOAuthCallback: {
    method: 'GET',
    path: '/api/google/callback',
    access: 'login',
    summary: 'OAuth callback for Google Calendar',
    redirects: true,
    query: z.object({
      state: z.optional(z.string().check(z.maxLength(200))),
      code: z.optional(z.string().check(z.maxLength(2_000))),
      error: z.optional(z.string().check(z.maxLength(200))),
    }),
    reply: z.string(),
  },
  disconnectCalendar: {
    method: 'DELETE',
    path: '/api/google/calendar',
    access: 'login',
    summary: 'Disconnect Google Calendar; existing events stay in it',
    reply: CalendarStatus,
  },
  calendarWebhook: {
    method: 'POST',
    path: '/api/google/webhooks',
    access: 'public',
    summary: 'Webhook: a calendar changed',
    signed: true,
    reply: z.object({ received: z.boolean() }),
  },
  listExternalChanges: {
    method: 'GET',
    path: '/api/calendar/external-changes',
    access: 'login',
    summary: 'Changes made in Google that the tutor has not accepted or reverted',
    query: z.object({ session: z.optional(z.coerce.number()) }),
    reply: z.array(ExternalChange),
  },
  acceptExternalChange: {
    method: 'POST',
    path: '/api/calendar/external-changes/:id/accept',
    access: 'login',
    summary: 'Apply the change: move the session, or cancel it if the event was deleted',
    params: IdParams,
    body: z.object({ acceptOverlaps }),
    /** The session after the change; a moved session gets a new id. */
    reply: z.object({ sessionId: id('Please choose a lesson') }),
  },
  revertExternalChange: {
    method: 'POST',
    path: '/api/calendar/external-changes/:id/reject',
    access: 'login',
    summary: 'Revert the change: restore the event in Google',
    params: IdParams,
    reply: z.object({ sessionId: id('Please choose a lesson') }),
  },
  showFeed: {
    method: 'POST',
    path: '/api/calendar/feed',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Show the private feed URL for calendar apps, which is created on first use',
    reply: CalendarFeed,
  },
  replaceFeed: {
    method: 'POST',
    path: '/api/calendar/feed/replace',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Replace the private feed URL; the old one stops working',
    reply: CalendarFeed,
  },
  readFeed: {
    method: 'GET',
    // Some calendar apps require the .ics extension.
    path: '/api/calendar/feeds/:token.ics',
    access: 'public',
    summary: 'The iCalendar feed; the token in the path is the only credential',
    params: FeedParams,
    file: 'text/calendar',
    allowCrossOrigin: true,
    reply: z.string(),
  },
});
