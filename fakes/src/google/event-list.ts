import type { calendar_v3 } from '@googleapis/calendar';
import { type Call, findCalendarOrThrow } from './call.ts';
import { toDeletedResource, toEventResource } from './event-resource.ts';
import { toInstantMillis } from './event-time.ts';
import { type ListParams, parseListParams } from './list-params.ts';
import type { OpenList } from './list-tokens.ts';
import type { GoogleState, StoredCalendar, StoredEvent } from './state.ts';

export function listEvents(call: Call): calendar_v3.Schema$Events {
  const { state, listTokens } = call;
  const calendar = findCalendarOrThrow(call);
  const params = parseListParams(call.query, state.clock.millis());
  const { list, from } =
    params.pageToken === null
      ? { list: openList(call, calendar, params), from: 0 }
      : listTokens.findPage(params.pageToken, calendar);
  const to = from + Math.min(params.maxResults, state.pageLimit);
  const { description } = calendar;
  return {
    kind: 'calendar#events',
    etag: state.etag({ revision: list.lastRevision }),
    summary: calendar.summary,
    ...(description === null ? {} : { description }),
    updated: new Date(calendar.updated).toISOString(),
    timeZone: list.zone,
    accessRole: 'owner',
    defaultReminders: [],
    items: list.ids.slice(from, to).flatMap((id) => {
      const event = calendar.events.get(id);
      return event ? [toListItem(state, calendar, event, list)] : [];
    }),
    ...(to < list.ids.length
      ? { nextPageToken: listTokens.createPageToken(list, to) }
      : list.hasSyncToken
        ? { nextSyncToken: listTokens.createSyncToken(list) }
        : {}),
  };
}

function openList(
  { state, listTokens }: Call,
  calendar: StoredCalendar,
  params: ListParams,
): OpenList {
  const all = [...calendar.events.values()];
  const since =
    params.syncToken === null ? null : listTokens.findSyncRevision(params.syncToken, calendar);
  const events =
    since === null
      ? sortEvents(
          all.filter((event) => matches(event, calendar, params)),
          calendar,
          params,
        )
      : all.filter((event) => event.revision > since).toSorted((a, b) => a.revision - b.revision);
  return {
    calendarId: calendar.id,
    ids: events.map(({ id }) => id),
    lastRevision: state.revision,
    showDeleted: params.showDeleted,
    zone: params.timeZone ?? calendar.timeZone,
    hasSyncToken: canSync(params),
  };
}

/** Google returns no sync token for ordered lists or for lists with any of these filters. */
function canSync(params: ListParams): boolean {
  return (
    params.orderBy === null &&
    params.search === null &&
    params.iCalUID === null &&
    params.updatedMin === null &&
    params.privateProperties.length + params.sharedProperties.length === 0
  );
}

function toListItem(
  state: GoogleState,
  calendar: StoredCalendar,
  event: StoredEvent,
  list: OpenList,
) {
  return event.status === 'cancelled' && !list.showDeleted
    ? toDeletedResource(state, event)
    : toEventResource(state, calendar, event, list.zone);
}

function matches(event: StoredEvent, calendar: StoredCalendar, params: ListParams): boolean {
  const zone = calendar.timeZone;
  const isVisible =
    event.status !== 'cancelled' ||
    params.showDeleted ||
    // Events deleted since `updatedMin` are always included.
    params.updatedMin !== null;
  return (
    isVisible &&
    (params.timeMin === null || toInstantMillis(event.end, zone) > params.timeMin) &&
    (params.timeMax === null || toInstantMillis(event.start, zone) < params.timeMax) &&
    (params.updatedMin === null || event.updated >= params.updatedMin) &&
    (params.iCalUID === null || params.iCalUID === `${event.id}@google.com`) &&
    (params.search === null || matchesSearch(event, params.search)) &&
    params.privateProperties.every((pair) => hasProperty(event, 'private', pair)) &&
    params.sharedProperties.every((pair) => hasProperty(event, 'shared', pair))
  );
}

function matchesSearch({ details }: StoredEvent, search: string): boolean {
  const text = [details['summary'], details['description'], details['location']]
    .join('\n')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function hasProperty({ details }: StoredEvent, visibility: string, pair: string): boolean {
  const [name = '', ...value] = pair.split('=');
  const properties = details['extendedProperties'] as
    | Record<string, Record<string, string>>
    | undefined;
  return properties?.[visibility]?.[name] === value.join('=');
}

function sortEvents(
  events: StoredEvent[],
  calendar: StoredCalendar,
  params: ListParams,
): StoredEvent[] {
  if (params.orderBy === null) return events;
  const zone = calendar.timeZone;
  return events.toSorted((a, b) =>
    params.orderBy === 'updated'
      ? a.revision - b.revision
      : toInstantMillis(a.start, zone) - toInstantMillis(b.start, zone),
  );
}
