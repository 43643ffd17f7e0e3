import type { calendar_v3 } from '@googleapis/calendar';
import { toEventResource } from './event-resource.ts';
import type { EventTime } from './event-time.ts';
import type { Grants } from './grants.ts';
import type { EventStatus, GoogleState, StoredCalendar, StoredEvent } from './state.ts';
import { formatLocalTime } from './time-zones.ts';

export interface EventReport {
  id: string;
  summary: string;
  status: EventStatus;
  /** Local time in the event's zone (`2026-11-20T09:00:00`), or a date. */
  start: string;
  end: string;
  /** Null for all-day events. */
  timeZone: string | null;
  /** `extendedProperties.private`. */
  privateProperties: Record<string, string>;
  etag: string;
  updated: string;
  sequence: number;
  /** How many conferences were requested for the event. */
  conferences: number;
  /** As returned by `events.get`. */
  resource: calendar_v3.Schema$Event;
}

export interface CalendarReport {
  id: string;
  summary: string;
  timeZone: string;
  deleted: boolean;
  /** Includes deleted events, with status `cancelled`. */
  events: EventReport[];
}

export interface UserReport {
  user: string;
  /** Whether a refresh token exists. */
  connected: boolean;
  scopes: string[];
  calendars: CalendarReport[];
}

/** Everything that Google has stored, for tests to compare with the product's sessions. */
export function reportUsers(state: GoogleState, grants: Grants, user?: string): UserReport[] {
  const owners = [...state.calendars.values()].map(({ owner }) => owner);
  const users = [...new Set([...grants.users(), ...owners])];
  return users
    .filter((each) => user === undefined || each === user)
    .map((each) => ({
      user: each,
      connected: grants.scopesOf(each) !== null,
      scopes: grants.scopesOf(each) ?? [],
      calendars: state.calendarsOf(each).map((calendar) => reportCalendar(state, calendar)),
    }));
}

function reportCalendar(state: GoogleState, calendar: StoredCalendar): CalendarReport {
  const { id, summary, timeZone, deleted } = calendar;
  const events = [...calendar.events.values()].map((event) => reportEvent(state, calendar, event));
  return { id, summary, timeZone, deleted, events };
}

function reportEvent(
  state: GoogleState,
  calendar: StoredCalendar,
  event: StoredEvent,
): EventReport {
  const { details } = event;
  const properties = details['extendedProperties'] as
    | { private?: Record<string, string> }
    | undefined;
  return {
    id: event.id,
    summary: typeof details['summary'] === 'string' ? details['summary'] : '',
    status: event.status,
    start: toLocalTime(event.start),
    end: toLocalTime(event.end),
    timeZone: event.start.kind === 'time' ? event.start.timeZone : null,
    privateProperties: { ...properties?.private },
    etag: state.etag(event),
    updated: new Date(event.updated).toISOString(),
    sequence: event.sequence,
    conferences: event.conferences,
    resource: toEventResource(state, calendar, event),
  };
}

function toLocalTime(time: EventTime): string {
  return time.kind === 'day' ? time.date : formatLocalTime(time.instant, time.timeZone);
}
