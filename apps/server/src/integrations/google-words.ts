import type { calendar_v3 } from '@googleapis/calendar';
import { Temporal } from 'temporal-polyfill';
import {
  type Appointment,
  CalendarAccessLost,
  CalendarBusy,
  CalendarRefused,
  CalendarUnavailable,
  type EventFacts,
} from './calendar.ts';

/* What Google says, in our words, and the other way round. */

const TOO_MUCH = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'calendarUsageLimitsExceeded',
]);

interface GoogleError {
  status?: number;
  code?: string | number;
  response?: { data?: { error?: string | { errors?: { reason?: string }[] } } };
}

export const statusOf = (error: unknown): number => (error as GoogleError).status ?? 0;

/** Google's faults in our words. What a caller has an answer for is asked about before. */
export async function told<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw inOurWords(error as GoogleError);
  }
}

function inOurWords(error: GoogleError): Error {
  const { status = 0, code } = error;
  const said = error.response?.data?.error;
  const reason = typeof said === 'string' ? said : (said?.errors?.[0]?.reason ?? '');
  // Not the error itself: it carries the request along, and with it the token and a child's name, and this is logged.
  const words = `${status} ${reason || code || 'no answer'}`;
  if (status === 429 || TOO_MUCH.has(reason)) return new CalendarBusy(words);
  if (reason === 'invalid_grant' || status === 401 || status === 403) {
    return new CalendarAccessLost(words);
  }
  if (status >= 400 && status < 500) return new CalendarRefused(words);
  return new CalendarUnavailable(words);
}

/** Local time with its offset and zone: plain to read there, and right in the hour that comes twice. */
function moment(instant: Date, timeZone: string): calendar_v3.Schema$EventDateTime {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(
    timeZone,
  );
  return { dateTime: local.toString({ timeZoneName: 'never' }), timeZone };
}

/** What is ours in an event. Colour, notes and alarms are the tutor's. */
export const asEvent = (appointment: Appointment): calendar_v3.Schema$Event => ({
  status: 'confirmed',
  summary: appointment.summary,
  location: appointment.place ?? '',
  start: moment(appointment.startsAt, appointment.timeZone),
  end: moment(appointment.endsAt, appointment.timeZone),
  extendedProperties: { private: { sessionId: appointment.sessionPublicId } },
});

export const asNewEvent = (appointment: Appointment): calendar_v3.Schema$Event => ({
  ...asEvent(appointment),
  id: appointment.eventId,
  description: appointment.url,
});

const instantOf = (at: calendar_v3.Schema$EventDateTime | undefined): Date | null =>
  at?.dateTime ? new Date(at.dateTime) : null;

export const asFacts = (event: calendar_v3.Schema$Event): EventFacts => ({
  eventId: event.id ?? '',
  etag: event.etag ?? '',
  deleted: event.status === 'cancelled',
  summary: event.summary ?? '',
  place: event.location || null,
  startsAt: instantOf(event.start),
  endsAt: instantOf(event.end),
});
