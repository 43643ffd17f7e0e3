/** What a tutor does in Google's own pages. */
import { removeCalendar } from './calendars.ts';
import { parseEvent } from './event-resource.ts';
import { type EventTime, parseEventTime, toInstantMillis } from './event-time.ts';
import { addEvent, changeEvent } from './events.ts';
import type { GoogleState, StoredCalendar, StoredEvent } from './state.ts';

const DAY = 86_400_000;

/** Where an event is; the calendar can be left out where only one has the id. */
export interface EventRef {
  eventId: string;
  calendarId?: string;
}

/** Local times (`2026-11-20T09:00`) are those of the event's zone. */
export interface NewTime {
  start: string;
  /** As long as before when left out. */
  end?: string;
  timeZone?: string;
}

export interface NewEvent {
  summary: string;
  start: string;
  end: string;
  timeZone?: string;
}

export function addEventAsUser(state: GoogleState, calendarId: string, asked: NewEvent): string {
  const calendar = findCalendar(state, calendarId);
  const { summary, start, end, timeZone = calendar.timeZone } = asked;
  const body = {
    summary,
    start: { dateTime: withSeconds(start), timeZone },
    end: { dateTime: withSeconds(end), timeZone },
  };
  return addEvent(state, calendar, state.newId('event'), parseEvent(body, calendar)).id;
}

export function moveEventAsUser(state: GoogleState, ref: EventRef, to: NewTime): void {
  const [calendar, event] = findEvent(state, ref);
  const start = parseNewTime('start', event.start, to.start, to, calendar);
  const end =
    to.end === undefined
      ? shiftEventTime(start, lengthOf(event, calendar))
      : parseNewTime('end', event.end, to.end, to, calendar);
  if (toInstantMillis(end, calendar.timeZone) < toInstantMillis(start, calendar.timeZone)) {
    throw new Error('An event cannot end before it begins');
  }
  changeEvent(state, calendar, event, { start, end });
}

export function renameEventAsUser(state: GoogleState, ref: EventRef, summary: string): void {
  const [calendar, event] = findEvent(state, ref);
  changeEvent(state, calendar, event, { details: { ...event.details, summary } });
}

export function deleteEventAsUser(state: GoogleState, ref: EventRef): void {
  const [calendar, event] = findEvent(state, ref);
  if (event.status === 'cancelled') throw new Error(`${event.id} is deleted already`);
  changeEvent(state, calendar, event, { status: 'cancelled' });
}

/** Out of Google's bin. */
export function restoreEventAsUser(state: GoogleState, ref: EventRef): void {
  const [calendar, event] = findEvent(state, ref);
  changeEvent(state, calendar, event, { status: 'confirmed' });
}

export function deleteCalendarAsUser(state: GoogleState, calendarId: string): void {
  removeCalendar(state, findCalendar(state, calendarId));
}

function findCalendar(state: GoogleState, calendarId: string): StoredCalendar {
  const calendar = state.calendars.get(calendarId);
  if (!calendar || calendar.deleted) throw new Error(`There is no calendar ${calendarId}`);
  return calendar;
}

function findEvent(
  state: GoogleState,
  { eventId, calendarId }: EventRef,
): [StoredCalendar, StoredEvent] {
  const found = [...state.calendars.values()].flatMap(
    (calendar): [StoredCalendar, StoredEvent][] => {
      const event = calendar.events.get(eventId);
      const here = !calendar.deleted && (calendarId === undefined || calendar.id === calendarId);
      return event && here ? [[calendar, event]] : [];
    },
  );
  const [only, another] = found;
  if (!only) throw new Error(`There is no event ${eventId}`);
  if (another) throw new Error(`${eventId} is in several calendars: say in which`);
  return only;
}

function parseNewTime(
  which: 'start' | 'end',
  old: EventTime,
  text: string,
  to: NewTime,
  calendar: StoredCalendar,
): EventTime {
  if (old.kind === 'day') return parseEventTime(which, { date: text }, calendar.timeZone);
  const timeZone = to.timeZone ?? old.timeZone;
  return parseEventTime(which, { dateTime: withSeconds(text), timeZone }, calendar.timeZone);
}

/** A browser's field for times leaves them out. */
function withSeconds(text: string): string {
  return /T\d\d:\d\d$/.test(text) ? `${text}:00` : text;
}

function lengthOf({ start, end }: StoredEvent, { timeZone }: StoredCalendar): number {
  return toInstantMillis(end, timeZone) - toInstantMillis(start, timeZone);
}

function shiftEventTime(time: EventTime, millis: number): EventTime {
  if (time.kind === 'time') return { ...time, instant: time.instant + millis };
  // A day on which the clocks change is not 24 hours long.
  const whole = Math.round(millis / DAY) * DAY;
  const date = new Date(Date.parse(time.date) + whole).toISOString().slice(0, 10);
  return { kind: 'day', date };
}
