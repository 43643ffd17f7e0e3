import type { calendar_v3 } from '@googleapis/calendar';
import { conferenceResource } from './conferences.ts';
import { emptyRange, invalid, notSupported } from './error-response.ts';
import {
  type EventTime,
  formatEventDateTime,
  parseEventTime,
  toInstantMillis,
} from './event-time.ts';
import type { EventStatus, GoogleState, StoredCalendar, StoredEvent } from './state.ts';

type Body = Record<string, unknown>;

/** Writable fields besides times, status and sequence. Other fields are read-only or unknown and ignored. */
const WRITABLE_FIELDS = [
  'summary',
  'description',
  'location',
  'colorId',
  'eventLabelId',
  'transparency',
  'visibility',
  'attendees',
  'attendeesOmitted',
  'anyoneCanAddSelf',
  'guestsCanInviteOthers',
  'guestsCanModify',
  'guestsCanSeeOtherGuests',
  'reminders',
  'source',
  'extendedProperties',
];

export type EventInput = Pick<StoredEvent, 'status' | 'start' | 'end' | 'details'> & {
  /** Null if not set by the caller. */
  sequence: number | null;
};

/** Parses and validates a complete event. */
export function parseEvent(body: Body, calendar: StoredCalendar): EventInput {
  if (Array.isArray(body['recurrence']) && body['recurrence'].length > 0) {
    throw notSupported('recurring events');
  }
  const start = parseEventTime('start', body['start'], calendar.timeZone);
  const end = parseEventTime('end', body['end'], calendar.timeZone);
  checkRange(start, end, calendar.timeZone);
  const details: Body = {};
  for (const name of WRITABLE_FIELDS) {
    const value = body[name];
    if (value !== undefined && value !== null) details[name] = value;
  }
  const properties = truncateProperties(details['extendedProperties']);
  if (properties) details['extendedProperties'] = properties;
  else delete details['extendedProperties'];
  return { status: readStatus(body['status']), start, end, details, sequence: readSequence(body) };
}

function checkRange(start: EventTime, end: EventTime, zone: string): void {
  if (start.kind !== end.kind) {
    throw invalid('Start and end times must either both be date or both be dateTime.');
  }
  const from = toInstantMillis(start, zone);
  const to = toInstantMillis(end, zone);
  // Google allows timed events of zero length, but not all-day ones.
  if (to < from || (start.kind === 'day' && to === from)) throw emptyRange();
}

function readStatus(value: unknown): EventStatus {
  if (value === undefined || value === null) return 'confirmed';
  if (value === 'confirmed' || value === 'tentative' || value === 'cancelled') return value;
  throw invalid('Invalid value for: status');
}

function readSequence({ sequence }: Body): number | null {
  return typeof sequence === 'number' && Number.isInteger(sequence) ? sequence : null;
}

/** Google silently drops names over 44 characters and truncates values to 1,024. */
function truncateProperties(value: unknown): Body | null {
  if (typeof value !== 'object' || value === null) return null;
  const result: Body = {};
  for (const visibility of ['private', 'shared']) {
    const pairs = Object.entries(((value as Body)[visibility] ?? {}) as Body)
      .filter(([name, text]) => name.length <= 44 && typeof text === 'string')
      .map(([name, text]) => [name, (text as string).slice(0, 1_024)]);
    if (pairs.length > 0) result[visibility] = Object.fromEntries(pairs);
  }
  return Object.keys(result).length > 0 ? result : null;
}

/** Applies a patch: objects are merged, null removes a field and any other value replaces it. */
export function mergePatch(old: unknown, change: unknown): unknown {
  if (!isPlainObject(change)) return change;
  const result: Body = isPlainObject(old) ? { ...old } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

function isPlainObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toEventResource(
  state: GoogleState,
  calendar: StoredCalendar,
  event: StoredEvent,
  zone = calendar.timeZone,
): calendar_v3.Schema$Event {
  const page = `${state.baseUrl}/calendar/${encodeURIComponent(calendar.owner)}`;
  return {
    kind: 'calendar#event',
    etag: state.etag(event),
    id: event.id,
    status: event.status,
    htmlLink: `${page}#${event.id}`,
    created: new Date(event.created).toISOString(),
    updated: new Date(event.updated).toISOString(),
    creator: { email: calendar.owner },
    organizer: { email: calendar.id, displayName: calendar.summary, self: true },
    start: formatEventDateTime(event.start, zone),
    end: formatEventDateTime(event.end, zone),
    iCalUID: `${event.id}@google.com`,
    sequence: event.sequence,
    reminders: { useDefault: true },
    eventType: 'default',
    ...event.details,
    ...conferenceResource(event),
  };
}

/** A deleted event in a list without `showDeleted`. */
export function toDeletedResource(
  state: GoogleState,
  event: StoredEvent,
): calendar_v3.Schema$Event {
  return { kind: 'calendar#event', etag: state.etag(event), id: event.id, status: 'cancelled' };
}
