/** Changes that a user makes in Google Calendar itself. */
import { removeCalendar } from './calendars.ts';
import { finishConference } from './conferences.ts';
import { parseEvent } from './event-resource.ts';
import { type EventTime, parseEventTime, toInstantMillis } from './event-time.ts';
import { addEvent, changeEvent } from './events.ts';
import type { GoogleState, StoredCalendar, StoredEvent } from './state.ts';

const DAY = 86_400_000;

/** Identifies an event; `calendarId` is optional if the event id is unique. */
export interface EventRef {
  eventId: string;
  calendarId?: string;
}

/** Local times (`2026-11-20T09:00`) are in the event's zone. */
export interface NewTime {
  start: string;
  /** Defaults to the same duration as before. */
  end?: string;
  timeZone?: string;
}

export interface NewEvent {
  summary: string;
  start: string;
  end: string;
  timeZone?: string;
}

export function addEventAsUser(state: GoogleState, calendarId: string, newEvent: NewEvent): string {
  const calendar = findCalendar(state, calendarId);
  const { summary, start, end, timeZone = calendar.timeZone } = newEvent;
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
      ? shiftEventTime(start, durationOf(event, calendar))
      : parseNewTime('end', event.end, to.end, to, calendar);
  if (toInstantMillis(end, calendar.timeZone) < toInstantMillis(start, calendar.timeZone)) {
    throw new Error('An event cannot end before it starts');
  }
  changeEvent(state, calendar, event, { start, end });
}

export function renameEventAsUser(state: GoogleState, ref: EventRef, summary: string): void {
  const [calendar, event] = findEvent(state, ref);
  changeEvent(state, calendar, event, { details: { ...event.details, summary } });
}

export function deleteEventAsUser(state: GoogleState, ref: EventRef): void {
  const [calendar, event] = findEvent(state, ref);
  if (event.status === 'cancelled') throw new Error(`${event.id} is already deleted`);
  changeEvent(state, calendar, event, { status: 'cancelled' });
}

/** Restores an event from the bin. */
export function restoreEventAsUser(state: GoogleState, ref: EventRef): void {
  const [calendar, event] = findEvent(state, ref);
  changeEvent(state, calendar, event, { status: 'confirmed' });
}

export function removeConferenceAsUser(state: GoogleState, ref: EventRef): void {
  const [calendar, event] = findEvent(state, ref);
  changeEvent(state, calendar, event, { conference: null });
}

/** Not a user's action, but it also changes events outside a request. */
export function finishPendingConferences(state: GoogleState, outcome: 'success' | 'failure'): void {
  for (const calendar of state.calendars.values()) {
    for (const event of calendar.events.values()) {
      if (event.conference?.status !== 'pending') continue;
      const conference = finishConference(state, event.conference, outcome);
      changeEvent(state, calendar, event, { conference });
    }
  }
}

export function deleteCalendarAsUser(state: GoogleState, calendarId: string): void {
  removeCalendar(state, findCalendar(state, calendarId));
}

function findCalendar(state: GoogleState, calendarId: string): StoredCalendar {
  const calendar = state.calendars.get(calendarId);
  if (!calendar || calendar.deleted) throw new Error(`No such calendar: ${calendarId}`);
  return calendar;
}

function findEvent(
  state: GoogleState,
  { eventId, calendarId }: EventRef,
): [StoredCalendar, StoredEvent] {
  const found = [...state.calendars.values()].flatMap(
    (calendar): [StoredCalendar, StoredEvent][] => {
      const event = calendar.events.get(eventId);
      const matches = !calendar.deleted && (calendarId === undefined || calendar.id === calendarId);
      return event && matches ? [[calendar, event]] : [];
    },
  );
  const [first, second] = found;
  if (!first) throw new Error(`There is no event ${eventId}`);
  if (second) throw new Error(`${eventId} is in several calendars: pass calendarId`);
  return first;
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

/** Values of `datetime-local` inputs have no seconds. */
function withSeconds(text: string): string {
  return /T\d\d:\d\d$/.test(text) ? `${text}:00` : text;
}

function durationOf({ start, end }: StoredEvent, { timeZone }: StoredCalendar): number {
  return toInstantMillis(end, timeZone) - toInstantMillis(start, timeZone);
}

function shiftEventTime(time: EventTime, millis: number): EventTime {
  if (time.kind === 'time') return { ...time, instant: time.instant + millis };
  // A day on which the clocks change is not 24 hours long.
  const wholeDays = Math.round(millis / DAY) * DAY;
  const date = new Date(Date.parse(time.date) + wholeDays).toISOString().slice(0, 10);
  return { kind: 'day', date };
}
