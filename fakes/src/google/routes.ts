import {
  deleteCalendar,
  getCalendar,
  insertCalendar,
  patchCalendar,
  updateCalendar,
} from './calendars.ts';
import type { Call } from './call.ts';
import { findCalendarOrThrow } from './call.ts';
import { notSupported } from './error-response.ts';
import { listEvents } from './event-list.ts';
import { deleteEvent, getEvent, insertEvent, patchEvent, updateEvent } from './events.ts';

export interface Route {
  /** The method id in the discovery document, without the `calendar.` prefix. */
  operation: string;
  method: string;
  path: RegExp;
  /** False if the `calendar.app.created` scope does not include it. */
  inScope: boolean;
  handle: (call: Call) => object | null;
}

const CALENDARS = '/calendars';
const CALENDAR = '/calendars/{calendarId}';
const EVENTS = `${CALENDAR}/events`;
const EVENT = `${EVENTS}/{eventId}`;
const LIST_ENTRY = '/users/me/calendarList/{calendarId}';

/** The first match wins: `events/watch` must come before `events/{eventId}`. */
export const ROUTES: readonly Route[] = [
  route('calendars.insert', 'POST', CALENDARS, insertCalendar),
  route('calendars.get', 'GET', CALENDAR, getCalendar),
  route('calendars.patch', 'PATCH', CALENDAR, patchCalendar),
  route('calendars.update', 'PUT', CALENDAR, updateCalendar),
  route('calendars.delete', 'DELETE', CALENDAR, deleteCalendar),
  route('events.list', 'GET', EVENTS, listEvents),
  route('events.insert', 'POST', EVENTS, insertEvent),
  route('events.watch', 'POST', `${EVENTS}/watch`, watchEvents),
  unsupported('events.import', 'POST', `${EVENTS}/import`),
  unsupported('events.quickAdd', 'POST', `${EVENTS}/quickAdd`),
  unsupported('events.instances', 'GET', `${EVENT}/instances`),
  route('events.get', 'GET', EVENT, getEvent),
  route('events.patch', 'PATCH', EVENT, patchEvent),
  route('events.update', 'PUT', EVENT, updateEvent),
  route('events.delete', 'DELETE', EVENT, deleteEvent),
  route('channels.stop', 'POST', '/channels/stop', stopChannel),
  unsupported('colors.get', 'GET', '/colors'),
  unsupported('calendarList.get', 'GET', LIST_ENTRY),
  unsupported('calendarList.patch', 'PATCH', LIST_ENTRY),
  unsupported('calendarList.update', 'PUT', LIST_ENTRY),
  unsupported('calendarList.delete', 'DELETE', LIST_ENTRY),
  forbidden('calendarList.list', 'GET', '/users/me/calendarList'),
  forbidden('calendarList.insert', 'POST', '/users/me/calendarList'),
  forbidden('calendarList.watch', 'POST', '/users/me/calendarList/watch'),
  forbidden('calendars.clear', 'POST', `${CALENDAR}/clear`),
  forbidden('events.move', 'POST', `${EVENT}/move`),
  forbidden('freebusy.query', 'POST', '/freeBusy'),
  forbidden('acl.list', 'GET', `${CALENDAR}/acl`),
  forbidden('acl.insert', 'POST', `${CALENDAR}/acl`),
  forbidden('settings.list', 'GET', '/users/me/settings'),
];

function route(
  operation: string,
  method: string,
  path: string,
  handle: Route['handle'],
  inScope = true,
): Route {
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { operation, method, path: new RegExp(`^/calendar/v3${pattern}$`), inScope, handle };
}

/** In scope, but not implemented because the product does not use it. */
function unsupported(operation: string, method: string, path: string): Route {
  return route(operation, method, path, () => {
    throw notSupported(operation);
  });
}

function forbidden(operation: string, method: string, path: string): Route {
  return { ...unsupported(operation, method, path), inScope: false };
}

function watchEvents(call: Call): object {
  return call.channels.watch(call.user, findCalendarOrThrow(call), call.body);
}

function stopChannel(call: Call): null {
  call.channels.stop(call.user, call.body);
  return null;
}
