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
  /** As Google's description calls it, without `calendar.` in front. */
  operation: string;
  method: string;
  path: RegExp;
  /** False where `calendar.app.created` does not reach. */
  inScope: boolean;
  handle: (call: Call) => object | null;
}

const CALENDARS = '/calendars';
const CALENDAR = '/calendars/{calendarId}';
const EVENTS = `${CALENDAR}/events`;
const EVENT = `${EVENTS}/{eventId}`;
const LIST_ENTRY = '/users/me/calendarList/{calendarId}';

/** The first that fits counts: `events/watch` has to come before `events/{eventId}`. */
export const ROUTES: readonly Route[] = [
  route('calendars.insert', 'POST', CALENDARS, insertCalendar),
  route('calendars.get', 'GET', CALENDAR, getCalendar),
  route('calendars.patch', 'PATCH', CALENDAR, patchCalendar),
  route('calendars.update', 'PUT', CALENDAR, updateCalendar),
  route('calendars.delete', 'DELETE', CALENDAR, deleteCalendar),
  route('events.list', 'GET', EVENTS, listEvents),
  route('events.insert', 'POST', EVENTS, insertEvent),
  route('events.watch', 'POST', `${EVENTS}/watch`, watchEvents),
  uncovered('events.import', 'POST', `${EVENTS}/import`),
  uncovered('events.quickAdd', 'POST', `${EVENTS}/quickAdd`),
  uncovered('events.instances', 'GET', `${EVENT}/instances`),
  route('events.get', 'GET', EVENT, getEvent),
  route('events.patch', 'PATCH', EVENT, patchEvent),
  route('events.update', 'PUT', EVENT, updateEvent),
  route('events.delete', 'DELETE', EVENT, deleteEvent),
  route('channels.stop', 'POST', '/channels/stop', stopChannel),
  uncovered('colors.get', 'GET', '/colors'),
  uncovered('calendarList.get', 'GET', LIST_ENTRY),
  uncovered('calendarList.patch', 'PATCH', LIST_ENTRY),
  uncovered('calendarList.update', 'PUT', LIST_ENTRY),
  uncovered('calendarList.delete', 'DELETE', LIST_ENTRY),
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

/** Allowed, but nothing the product should need. */
function uncovered(operation: string, method: string, path: string): Route {
  return route(operation, method, path, () => {
    throw notSupported(operation);
  });
}

function forbidden(operation: string, method: string, path: string): Route {
  return { ...uncovered(operation, method, path), inScope: false };
}

function watchEvents(call: Call): object {
  return call.channels.watch(call.user, findCalendarOrThrow(call), call.body);
}

function stopChannel(call: Call): null {
  call.channels.stop(call.user, call.body);
  return null;
}
