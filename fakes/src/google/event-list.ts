import type { calendar_v3 } from '@googleapis/calendar';
import { type Call, calendarOf } from './call.ts';
import { showEvent, showGone } from './event-shape.ts';
import { type ListAsk, readListAsk } from './list-ask.ts';
import type { OpenList } from './list-memory.ts';
import { instantOf } from './moments.ts';
import type { StoredCalendar, StoredEvent, World } from './world.ts';

export function listEvents(call: Call): calendar_v3.Schema$Events {
  const { world, lists } = call;
  const calendar = calendarOf(call);
  const ask = readListAsk(call.query, world.clock.millis());
  const { list, from } =
    ask.pageToken === null
      ? { list: openList(call, calendar, ask), from: 0 }
      : lists.page(ask.pageToken, calendar);
  const to = from + Math.min(ask.maxResults, world.pageLimit);
  const { description } = calendar;
  return {
    kind: 'calendar#events',
    etag: world.etag({ revision: list.upTo }),
    summary: calendar.summary,
    ...(description === null ? {} : { description }),
    updated: new Date(calendar.updated).toISOString(),
    timeZone: list.zone,
    accessRole: 'owner',
    defaultReminders: [],
    items: list.ids.slice(from, to).flatMap((id) => {
      const event = calendar.events.get(id);
      return event ? [showListed(world, calendar, event, list)] : [];
    }),
    ...(to < list.ids.length
      ? { nextPageToken: lists.pageToken(list, to) }
      : list.syncs
        ? { nextSyncToken: lists.syncToken(list) }
        : {}),
  };
}

function openList({ world, lists }: Call, calendar: StoredCalendar, ask: ListAsk): OpenList {
  const all = [...calendar.events.values()];
  const since = ask.syncToken === null ? null : lists.since(ask.syncToken, calendar);
  const events =
    since === null
      ? ordered(
          all.filter((event) => fits(event, calendar, ask)),
          calendar,
          ask,
        )
      : all.filter((event) => event.revision > since).toSorted((a, b) => a.revision - b.revision);
  return {
    calendarId: calendar.id,
    ids: events.map(({ id }) => id),
    upTo: world.revision,
    showDeleted: ask.showDeleted,
    zone: ask.timeZone ?? calendar.timeZone,
    syncs: canSync(ask),
  };
}

/** Of a part chosen by contents or change, Google hands out no token to go on from. */
function canSync(ask: ListAsk): boolean {
  return (
    ask.orderBy === null &&
    ask.search === null &&
    ask.iCalUID === null &&
    ask.updatedMin === null &&
    ask.privateProperties.length + ask.sharedProperties.length === 0
  );
}

function showListed(world: World, calendar: StoredCalendar, event: StoredEvent, list: OpenList) {
  return event.status === 'cancelled' && !list.showDeleted
    ? showGone(world, event)
    : showEvent(world, calendar, event, list.zone);
}

function fits(event: StoredEvent, calendar: StoredCalendar, ask: ListAsk): boolean {
  const zone = calendar.timeZone;
  const shown =
    event.status !== 'cancelled' ||
    ask.showDeleted ||
    // Those deleted since are always told.
    ask.updatedMin !== null;
  return (
    shown &&
    (ask.timeMin === null || instantOf(event.end, zone) > ask.timeMin) &&
    (ask.timeMax === null || instantOf(event.start, zone) < ask.timeMax) &&
    (ask.updatedMin === null || event.updated >= ask.updatedMin) &&
    (ask.iCalUID === null || ask.iCalUID === `${event.id}@google.com`) &&
    (ask.search === null || mentions(event, ask.search)) &&
    ask.privateProperties.every((pair) => hasProperty(event, 'private', pair)) &&
    ask.sharedProperties.every((pair) => hasProperty(event, 'shared', pair))
  );
}

function mentions({ details }: StoredEvent, search: string): boolean {
  const text = [details['summary'], details['description'], details['location']]
    .join('\n')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function hasProperty({ details }: StoredEvent, side: string, pair: string): boolean {
  const [name = '', ...value] = pair.split('=');
  const properties = details['extendedProperties'] as
    | Record<string, Record<string, string>>
    | undefined;
  return properties?.[side]?.[name] === value.join('=');
}

function ordered(events: StoredEvent[], calendar: StoredCalendar, ask: ListAsk): StoredEvent[] {
  if (ask.orderBy === null) return events;
  const zone = calendar.timeZone;
  return events.toSorted((one, other) =>
    ask.orderBy === 'updated'
      ? one.revision - other.revision
      : instantOf(one.start, zone) - instantOf(other.start, zone),
  );
}
