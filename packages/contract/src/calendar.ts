import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { acceptOverlaps, IdParams, id } from './schema-fields.ts';

/* The tutor's own calendar at Google, kept in step, and a private feed for every other calendar program. */

/** What is wrong, so that the screen can say what to do about it. */
export const CALENDAR_PROBLEMS = [
  /** Google does not let us in any more: revoked, or unused for too long. Connecting again helps. */
  'access_lost',
  /** The tutor deleted our calendar in Google. Connecting again makes a new one. */
  'calendar_deleted',
  /** Google does not answer. It is tried again by itself. */
  'unreachable',
  /** Google says that it was too much at once. It goes on by itself. */
  'busy',
  /** Google refuses a lesson, and would again. */
  'refused',
] as const;
export type CalendarProblem = (typeof CALENDAR_PROBLEMS)[number];

export const CalendarStatus = z.object({
  /** Lessons are being sent. */
  connected: z.boolean(),
  /** This server can connect calendars at all. */
  offered: z.boolean(),
  problem: z.nullable(z.enum(CALENDAR_PROBLEMS)),
  lastSyncAt: z.nullable(z.string()),
  /** When it is tried again, while there is a problem that passes. */
  nextTryAt: z.nullable(z.string()),
  /** Lessons that belong into the calendar, and how many of them are not there yet as they are in the book. */
  lessons: z.number(),
  waiting: z.number(),
  /** The first filling is still under way. */
  initialSyncRunning: z.boolean(),
});
export type CalendarStatus = z.infer<typeof CalendarStatus>;

/** Something the tutor did in Google, which counts only once it is accepted here. */
export const ExternalChange = z.object({
  id: z.number(),
  sessionId: z.number(),
  kind: z.enum(['moved', 'deleted']),
  /** Where it stands in the book. */
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  title: z.string(),
  studentName: z.string(),
  /** Where Google has it now; none when it was deleted, or when no lesson can be like that (all day, past midnight). */
  to: z.nullable(z.object({ date: z.string(), startTime: z.string(), endTime: z.string() })),
});
export type ExternalChange = z.infer<typeof ExternalChange>;

export const CalendarFeed = z.object({
  /** For calendar programs; whoever has it can read the schedule. */
  url: z.string(),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

const FeedParams = z.object({ token: z.string().check(z.minLength(20), z.maxLength(100)) });

export const calendar = defineEndpoints({
  calendarStatus: {
    method: 'GET',
    path: '/api/google/calendar/status',
    access: 'login',
    summary: 'Whether Google Calendar is connected, and how it is doing',
    reply: CalendarStatus,
  },
  connectCalendar: {
    method: 'GET',
    path: '/api/google/auth',
    access: 'login',
    summary: 'Where to send the browser to allow us a calendar of our own',
    reply: z.object({ authUrl: z.string() }),
  },
  calendarOAuthCallback: {
    method: 'GET',
    path: '/api/google/callback',
    access: 'login',
    summary: 'Google sends the browser back here, with consent or without',
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
    summary: 'Stop sending lessons; what is in the calendar stays there',
    reply: CalendarStatus,
  },
  calendarWebhook: {
    method: 'POST',
    path: '/api/google/webhooks',
    access: 'public',
    summary: 'Google says that something in a calendar changed, not what',
    signed: true,
    reply: z.object({ received: z.boolean() }),
  },
  listExternalChanges: {
    method: 'GET',
    path: '/api/calendar/proposals',
    access: 'login',
    summary: 'What was changed in Google and waits for the tutor',
    query: z.object({ session: z.optional(z.coerce.number()) }),
    reply: z.array(ExternalChange),
  },
  acceptExternalChange: {
    method: 'POST',
    path: '/api/calendar/proposals/:id/accept',
    access: 'login',
    summary: 'Move the lesson to where Google has it, or cancel it where Google has it no more',
    params: IdParams,
    body: z.object({ acceptOverlaps }),
    /** The session that stands for the lesson now. */
    reply: z.object({ sessionId: id('Session is required') }),
  },
  revertExternalChange: {
    method: 'POST',
    path: '/api/calendar/proposals/:id/put-back',
    access: 'login',
    summary: 'Let Google have it again as it is in the book',
    params: IdParams,
    reply: z.object({ sessionId: id('Session is required') }),
  },
  calendarFeed: {
    method: 'GET',
    path: '/api/calendar/feed',
    access: 'login',
    summary: 'The private address for calendar programs',
    reply: CalendarFeed,
  },
  replaceFeed: {
    method: 'POST',
    path: '/api/calendar/feed/replace',
    access: 'login',
    summary: 'A new private address; the old one is dead at once',
    reply: CalendarFeed,
  },
  readFeed: {
    method: 'GET',
    // Calendar programs know their own by the ending.
    path: '/api/calendar/feeds/:token.ics',
    access: 'public',
    summary: 'The schedule for a calendar program, for whoever holds the address',
    params: FeedParams,
    file: 'text/calendar',
    fromAnywhere: true,
    reply: z.string(),
  },
});
