import type { calendar_v3 } from '@googleapis/calendar';
import { showEvent } from './event-shape.ts';
import type { Grants } from './grants.ts';
import type { Moment } from './moments.ts';
import type { EventStatus, StoredCalendar, StoredEvent, World } from './world.ts';
import { localTime } from './zones.ts';

export interface BookedEvent {
  id: string;
  summary: string;
  status: EventStatus;
  /** What the clocks of the event's zone show (`2026-11-20T09:00:00`), or a date. */
  start: string;
  end: string;
  /** Null for whole days. */
  timeZone: string | null;
  /** `extendedProperties.private`. */
  privateProperties: Record<string, string>;
  etag: string;
  updated: string;
  sequence: number;
  /** As `events.get` answers. */
  resource: calendar_v3.Schema$Event;
}

export interface BookedCalendar {
  id: string;
  summary: string;
  timeZone: string;
  deleted: boolean;
  /** Deleted ones too, with status `cancelled`. */
  events: BookedEvent[];
}

export interface UserBooks {
  user: string;
  /** Whether there is a living refresh token. */
  connected: boolean;
  scopes: string[];
  calendars: BookedCalendar[];
}

/** What Google would show, for a test to hold the product's own sessions against. */
export function readBooks(world: World, grants: Grants, user?: string): UserBooks[] {
  const owners = [...world.calendars.values()].map(({ owner }) => owner);
  const users = [...new Set([...grants.users(), ...owners])];
  return users
    .filter((each) => user === undefined || each === user)
    .map((each) => ({
      user: each,
      connected: grants.scopesOf(each) !== null,
      scopes: grants.scopesOf(each) ?? [],
      calendars: world.calendarsOf(each).map((calendar) => bookedCalendar(world, calendar)),
    }));
}

function bookedCalendar(world: World, calendar: StoredCalendar): BookedCalendar {
  const { id, summary, timeZone, deleted } = calendar;
  const events = [...calendar.events.values()].map((event) => bookedEvent(world, calendar, event));
  return { id, summary, timeZone, deleted, events };
}

function bookedEvent(world: World, calendar: StoredCalendar, event: StoredEvent): BookedEvent {
  const { details } = event;
  const properties = details['extendedProperties'] as
    | { private?: Record<string, string> }
    | undefined;
  return {
    id: event.id,
    summary: typeof details['summary'] === 'string' ? details['summary'] : '',
    status: event.status,
    start: onTheClock(event.start),
    end: onTheClock(event.end),
    timeZone: event.start.kind === 'time' ? event.start.timeZone : null,
    privateProperties: { ...properties?.private },
    etag: world.etag(event),
    updated: new Date(event.updated).toISOString(),
    sequence: event.sequence,
    resource: showEvent(world, calendar, event),
  };
}

function onTheClock(moment: Moment): string {
  return moment.kind === 'day' ? moment.date : localTime(moment.instant, moment.timeZone);
}
