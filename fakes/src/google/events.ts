import type { calendar_v3 } from '@googleapis/calendar';
import { type Call, calendarOf } from './call.ts';
import { merged, readEvent, showEvent, type Written } from './event-shape.ts';
import { sameMoment } from './moments.ts';
import { checkIfMatch, invalid, notFound, Refusal } from './refusal.ts';
import type { StoredCalendar, StoredEvent, World } from './world.ts';

type Shown = calendar_v3.Schema$Event;

export function insertEvent(call: Call): Shown {
  const { world, body } = call;
  const calendar = calendarOf(call);
  const { id = world.newId('event') } = body;
  if (typeof id !== 'string' || !/^[a-v0-9]{5,1024}$/.test(id)) {
    throw invalid('Invalid resource id value.');
  }
  const written = readEvent(body, calendar);
  if (calendar.events.has(id)) {
    throw new Refusal({
      status: 409,
      reason: 'duplicate',
      message: 'The requested identifier already exists.',
    });
  }
  return showEvent(world, calendar, addEvent(world, calendar, id, written));
}

export function addEvent(
  world: World,
  calendar: StoredCalendar,
  id: string,
  written: Written,
): StoredEvent {
  const now = world.clock.millis();
  const revision = world.nextRevision();
  const sequence = written.sequence ?? 0;
  const event = { id, ...written, sequence, created: now, updated: now, revision };
  calendar.events.set(id, event);
  touched(world, calendar);
  return event;
}

export function getEvent(call: Call): Shown {
  const { world, query, ifNoneMatch } = call;
  const [calendar, event] = eventOf(call);
  if (ifNoneMatch !== null && ifNoneMatch === world.etag(event)) {
    throw new Refusal({ status: 304, reason: 'notModified', message: 'Not Modified' });
  }
  return showEvent(world, calendar, event, query.get('timeZone') ?? calendar.timeZone);
}

export function patchEvent(call: Call): Shown {
  const [calendar, event] = eventOf(call);
  const whole = merged(showEvent(call.world, calendar, event), call.body) as Call['body'];
  if (call.body['sequence'] === undefined) delete whole['sequence'];
  return rewrite(call, calendar, event, whole);
}

export function updateEvent(call: Call): Shown {
  const [calendar, event] = eventOf(call);
  return rewrite(call, calendar, event, call.body);
}

function rewrite(
  call: Call,
  calendar: StoredCalendar,
  event: StoredEvent,
  whole: Call['body'],
): Shown {
  const { world } = call;
  checkIfMatch(call.ifMatch, world.etag(event));
  const written = readEvent(whole, calendar);
  if (written.sequence !== null && written.sequence < event.sequence) {
    throw invalid(
      'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
    );
  }
  changeEvent(world, calendar, event, written);
  return showEvent(world, calendar, event);
}

/** Every change makes a new etag; the sequence counts only what guests would have to be told. */
export function changeEvent(
  world: World,
  calendar: StoredCalendar,
  event: StoredEvent,
  change: Partial<Written>,
): void {
  const { sequence: asked = null, ...rest } = change;
  const next = { ...event, ...rest };
  const matters =
    !sameMoment(event.start, next.start) ||
    !sameMoment(event.end, next.end) ||
    event.status !== next.status;
  Object.assign(event, next, {
    sequence: asked ?? event.sequence + (matters ? 1 : 0),
    updated: world.clock.millis(),
    revision: world.nextRevision(),
  });
  touched(world, calendar);
}

export function deleteEvent(call: Call): null {
  const { world } = call;
  const [calendar, event] = eventOf(call);
  if (event.status === 'cancelled') {
    throw new Refusal({ status: 410, reason: 'deleted', message: 'Resource has been deleted' });
  }
  checkIfMatch(call.ifMatch, world.etag(event));
  changeEvent(world, calendar, event, { status: 'cancelled' });
  return null;
}

function eventOf(call: Call): [StoredCalendar, StoredEvent] {
  const calendar = calendarOf(call);
  const event = calendar.events.get(call.path['eventId'] ?? '');
  if (!event) throw notFound();
  return [calendar, event];
}

function touched(world: World, calendar: StoredCalendar): void {
  calendar.updated = world.clock.millis();
  world.onChange(calendar);
}
