import type { calendar_v3 } from '@googleapis/calendar';
import { type Call, calendarOf } from './call.ts';
import { checkIfMatch, invalid, required } from './refusal.ts';
import type { StoredCalendar, World } from './world.ts';
import { isZone } from './zones.ts';

export function insertCalendar(call: Call): calendar_v3.Schema$Calendar {
  const { world, user, body } = call;
  const facts = readFacts(body, 'UTC');
  const calendar: StoredCalendar = {
    id: `${world.newId('calendar')}@group.calendar.google.com`,
    owner: user,
    ...facts,
    revision: world.nextRevision(),
    updated: world.clock.millis(),
    deleted: false,
    events: new Map(),
  };
  world.calendars.set(calendar.id, calendar);
  return showCalendar(world, calendar);
}

export function getCalendar(call: Call): calendar_v3.Schema$Calendar {
  return showCalendar(call.world, calendarOf(call));
}

export function patchCalendar(call: Call): calendar_v3.Schema$Calendar {
  const { summary, timeZone, description, location } = calendarOf(call);
  return changeCalendar(call, { summary, timeZone, description, location, ...call.body });
}

export function updateCalendar(call: Call): calendar_v3.Schema$Calendar {
  return changeCalendar(call, call.body);
}

function changeCalendar(call: Call, body: Record<string, unknown>): calendar_v3.Schema$Calendar {
  const { world } = call;
  const calendar = calendarOf(call);
  checkIfMatch(call.ifMatch, world.etag(calendar));
  Object.assign(calendar, readFacts(body, calendar.timeZone), {
    revision: world.nextRevision(),
    updated: world.clock.millis(),
  });
  return showCalendar(world, calendar);
}

export function deleteCalendar(call: Call): null {
  const calendar = calendarOf(call);
  checkIfMatch(call.ifMatch, call.world.etag(calendar));
  removeCalendar(call.world, calendar);
  return null;
}

export function removeCalendar(world: World, calendar: StoredCalendar): void {
  calendar.deleted = true;
  calendar.revision = world.nextRevision();
  calendar.updated = world.clock.millis();
  world.onChange(calendar);
}

type Facts = Pick<StoredCalendar, 'summary' | 'timeZone' | 'description' | 'location'>;

function readFacts(body: Record<string, unknown>, usualZone: string): Facts {
  const { summary, timeZone = usualZone, description, location } = body;
  if (typeof summary !== 'string' || summary === '') throw required('Missing title.');
  if (typeof timeZone !== 'string' || !isZone(timeZone)) {
    throw invalid('Invalid value for: timeZone', 'timeZone');
  }
  return {
    summary,
    timeZone,
    description: textOrNull(description),
    location: textOrNull(location),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function showCalendar(world: World, calendar: StoredCalendar): calendar_v3.Schema$Calendar {
  const { description, location } = calendar;
  return {
    kind: 'calendar#calendar',
    etag: world.etag(calendar),
    id: calendar.id,
    summary: calendar.summary,
    ...(description === null ? {} : { description }),
    ...(location === null ? {} : { location }),
    timeZone: calendar.timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
    dataOwner: calendar.owner,
  };
}
