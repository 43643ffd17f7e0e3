import type { calendar_v3 } from '@googleapis/calendar';
import { type Call, findCalendarOrThrow } from './call.ts';
import { allowedSolutions } from './conferences.ts';
import { checkIfMatch, invalid, required } from './error-response.ts';
import type { GoogleState, StoredCalendar } from './state.ts';
import { isTimeZone } from './time-zones.ts';

export function insertCalendar(call: Call): calendar_v3.Schema$Calendar {
  const { state, user, body } = call;
  const fields = parseFields(body, 'UTC');
  const calendar: StoredCalendar = {
    id: `${state.newId('calendar')}@group.calendar.google.com`,
    owner: user,
    ...fields,
    revision: state.nextRevision(),
    updated: state.clock.millis(),
    deleted: false,
    events: new Map(),
  };
  state.calendars.set(calendar.id, calendar);
  return toCalendarResource(state, calendar);
}

export function getCalendar(call: Call): calendar_v3.Schema$Calendar {
  return toCalendarResource(call.state, findCalendarOrThrow(call));
}

export function patchCalendar(call: Call): calendar_v3.Schema$Calendar {
  const { summary, timeZone, description, location } = findCalendarOrThrow(call);
  return changeCalendar(call, { summary, timeZone, description, location, ...call.body });
}

export function updateCalendar(call: Call): calendar_v3.Schema$Calendar {
  return changeCalendar(call, call.body);
}

function changeCalendar(call: Call, body: Record<string, unknown>): calendar_v3.Schema$Calendar {
  const { state } = call;
  const calendar = findCalendarOrThrow(call);
  checkIfMatch(call.ifMatch, state.etag(calendar));
  Object.assign(calendar, parseFields(body, calendar.timeZone), {
    revision: state.nextRevision(),
    updated: state.clock.millis(),
  });
  return toCalendarResource(state, calendar);
}

export function deleteCalendar(call: Call): null {
  const calendar = findCalendarOrThrow(call);
  checkIfMatch(call.ifMatch, call.state.etag(calendar));
  removeCalendar(call.state, calendar);
  return null;
}

export function removeCalendar(state: GoogleState, calendar: StoredCalendar): void {
  calendar.deleted = true;
  calendar.revision = state.nextRevision();
  calendar.updated = state.clock.millis();
  state.onChange(calendar);
}

type CalendarFields = Pick<StoredCalendar, 'summary' | 'timeZone' | 'description' | 'location'>;

function parseFields(body: Record<string, unknown>, defaultZone: string): CalendarFields {
  const { summary, timeZone = defaultZone, description, location } = body;
  if (typeof summary !== 'string' || summary === '') throw required('Missing title.');
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone)) {
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

function toCalendarResource(
  state: GoogleState,
  calendar: StoredCalendar,
): calendar_v3.Schema$Calendar {
  const { description, location } = calendar;
  return {
    kind: 'calendar#calendar',
    etag: state.etag(calendar),
    id: calendar.id,
    summary: calendar.summary,
    ...(description === null ? {} : { description }),
    ...(location === null ? {} : { location }),
    timeZone: calendar.timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: allowedSolutions(state, calendar) },
    dataOwner: calendar.owner,
  };
}
