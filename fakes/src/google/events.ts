import type { calendar_v3 } from '@googleapis/calendar';
import { type Call, findCalendarOrThrow } from './call.ts';
import { type ConferenceFields, NO_CONFERENCE, parseConference } from './conferences.ts';
import { ApiError, checkIfMatch, invalid, notFound } from './error-response.ts';
import { type EventInput, mergePatch, parseEvent, toEventResource } from './event-resource.ts';
import { isSameEventTime } from './event-time.ts';
import type { GoogleState, StoredCalendar, StoredEvent } from './state.ts';

type EventResource = calendar_v3.Schema$Event;

export function insertEvent(call: Call): EventResource {
  const { state, body } = call;
  const calendar = findCalendarOrThrow(call);
  const { id = state.newId('event') } = body;
  if (typeof id !== 'string' || !/^[a-v0-9]{5,1024}$/.test(id)) {
    throw invalid('Invalid resource id value.');
  }
  const input = parseEvent(body, calendar);
  if (calendar.events.has(id)) {
    throw new ApiError({
      status: 409,
      reason: 'duplicate',
      message: 'The requested identifier already exists.',
    });
  }
  const conference = parseConference(call, calendar, NO_CONFERENCE);
  return toEventResource(state, calendar, addEvent(state, calendar, id, input, conference));
}

export function addEvent(
  state: GoogleState,
  calendar: StoredCalendar,
  id: string,
  input: EventInput,
  conference = NO_CONFERENCE,
): StoredEvent {
  const now = state.clock.millis();
  const revision = state.nextRevision();
  const sequence = input.sequence ?? 0;
  const event = { id, ...input, ...conference, sequence, created: now, updated: now, revision };
  calendar.events.set(id, event);
  touchCalendar(state, calendar);
  return event;
}

export function getEvent(call: Call): EventResource {
  const { state, query, ifNoneMatch } = call;
  const [calendar, event] = findEventOrThrow(call);
  if (ifNoneMatch !== null && ifNoneMatch === state.etag(event)) {
    throw new ApiError({ status: 304, reason: 'notModified', message: 'Not Modified' });
  }
  return toEventResource(state, calendar, event, query.get('timeZone') ?? calendar.timeZone);
}

export function patchEvent(call: Call): EventResource {
  const [calendar, event] = findEventOrThrow(call);
  const body = mergePatch(toEventResource(call.state, calendar, event), call.body) as Call['body'];
  if (call.body['sequence'] === undefined) delete body['sequence'];
  return replaceEvent(call, calendar, event, body);
}

export function updateEvent(call: Call): EventResource {
  const [calendar, event] = findEventOrThrow(call);
  return replaceEvent(call, calendar, event, call.body);
}

function replaceEvent(
  call: Call,
  calendar: StoredCalendar,
  event: StoredEvent,
  body: Call['body'],
): EventResource {
  const { state } = call;
  checkIfMatch(call.ifMatch, state.etag(event));
  const input = parseEvent(body, calendar);
  if (input.sequence !== null && input.sequence < event.sequence) {
    throw invalid(
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
    );
  }
  changeEvent(state, calendar, event, { ...input, ...parseConference(call, calendar, event) });
  return toEventResource(state, calendar, event);
}

/** Every change sets a new etag; the sequence counts only changes to the time or status. */
export function changeEvent(
  state: GoogleState,
  calendar: StoredCalendar,
  event: StoredEvent,
  change: Partial<EventInput & ConferenceFields>,
): void {
  const { sequence: requested = null, ...rest } = change;
  const next: StoredEvent = { ...event, ...rest };
  const isRescheduled =
    !isSameEventTime(event.start, next.start) ||
    !isSameEventTime(event.end, next.end) ||
    event.status !== next.status;
  Object.assign(event, next, {
    sequence: requested ?? event.sequence + (isRescheduled ? 1 : 0),
    updated: state.clock.millis(),
    revision: state.nextRevision(),
  });
  touchCalendar(state, calendar);
}

export function deleteEvent(call: Call): null {
  const { state } = call;
  const [calendar, event] = findEventOrThrow(call);
  if (event.status === 'cancelled') {
    throw new ApiError({ status: 410, reason: 'deleted', message: 'Resource has been deleted' });
  }
  checkIfMatch(call.ifMatch, state.etag(event));
  changeEvent(state, calendar, event, { status: 'cancelled' });
  return null;
}

function findEventOrThrow(call: Call): [StoredCalendar, StoredEvent] {
  const calendar = findCalendarOrThrow(call);
  const event = calendar.events.get(call.path['eventId'] ?? '');
  if (!event) throw notFound();
  return [calendar, event];
}

function touchCalendar(state: GoogleState, calendar: StoredCalendar): void {
  calendar.updated = state.clock.millis();
  state.onChange(calendar);
}
