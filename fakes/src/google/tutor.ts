/** What a tutor does in Google's own pages. */
import { removeCalendar } from './calendars.ts';
import { readEvent } from './event-shape.ts';
import { addEvent, changeEvent } from './events.ts';
import { instantOf, type Moment, readMoment } from './moments.ts';
import type { StoredCalendar, StoredEvent, World } from './world.ts';

const DAY = 86_400_000;

/** Where an event is; the calendar can be left out where only one has the id. */
export interface EventPlace {
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

export function addByHand(world: World, calendarId: string, asked: NewEvent): string {
  const calendar = findCalendar(world, calendarId);
  const { summary, start, end, timeZone = calendar.timeZone } = asked;
  const body = {
    summary,
    start: { dateTime: withSeconds(start), timeZone },
    end: { dateTime: withSeconds(end), timeZone },
  };
  return addEvent(world, calendar, world.newId('event'), readEvent(body, calendar)).id;
}

export function moveByHand(world: World, place: EventPlace, to: NewTime): void {
  const [calendar, event] = findEvent(world, place);
  const start = newMoment('start', event.start, to.start, to, calendar);
  const end =
    to.end === undefined
      ? later(start, lengthOf(event, calendar))
      : newMoment('end', event.end, to.end, to, calendar);
  if (instantOf(end, calendar.timeZone) < instantOf(start, calendar.timeZone)) {
    throw new Error('An event cannot end before it begins');
  }
  changeEvent(world, calendar, event, { start, end });
}

export function renameByHand(world: World, place: EventPlace, summary: string): void {
  const [calendar, event] = findEvent(world, place);
  changeEvent(world, calendar, event, { details: { ...event.details, summary } });
}

export function deleteByHand(world: World, place: EventPlace): void {
  const [calendar, event] = findEvent(world, place);
  if (event.status === 'cancelled') throw new Error(`${event.id} is deleted already`);
  changeEvent(world, calendar, event, { status: 'cancelled' });
}

/** Out of Google's bin. */
export function restoreByHand(world: World, place: EventPlace): void {
  const [calendar, event] = findEvent(world, place);
  changeEvent(world, calendar, event, { status: 'confirmed' });
}

export function deleteCalendarByHand(world: World, calendarId: string): void {
  removeCalendar(world, findCalendar(world, calendarId));
}

function findCalendar(world: World, calendarId: string): StoredCalendar {
  const calendar = world.calendars.get(calendarId);
  if (!calendar || calendar.deleted) throw new Error(`There is no calendar ${calendarId}`);
  return calendar;
}

function findEvent(
  world: World,
  { eventId, calendarId }: EventPlace,
): [StoredCalendar, StoredEvent] {
  const found = [...world.calendars.values()].flatMap(
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

function newMoment(
  which: 'start' | 'end',
  old: Moment,
  text: string,
  to: NewTime,
  calendar: StoredCalendar,
): Moment {
  if (old.kind === 'day') return readMoment(which, { date: text }, calendar.timeZone);
  const timeZone = to.timeZone ?? old.timeZone;
  return readMoment(which, { dateTime: withSeconds(text), timeZone }, calendar.timeZone);
}

/** A browser's field for times leaves them out. */
function withSeconds(text: string): string {
  return /T\d\d:\d\d$/.test(text) ? `${text}:00` : text;
}

function lengthOf({ start, end }: StoredEvent, { timeZone }: StoredCalendar): number {
  return instantOf(end, timeZone) - instantOf(start, timeZone);
}

function later(moment: Moment, millis: number): Moment {
  if (moment.kind === 'time') return { ...moment, instant: moment.instant + millis };
  // A day on which the clocks change is not 24 hours long.
  const whole = Math.round(millis / DAY) * DAY;
  const date = new Date(Date.parse(moment.date) + whole).toISOString().slice(0, 10);
  return { kind: 'day', date };
}
