import type { calendar_v3 } from '@googleapis/calendar';
import { invalid, required } from './error-response.ts';
import { formatWithOffset, isTimeZone, toInstant } from './time-zones.ts';

/** An instant with a time zone, or a whole day. */
export type EventTime =
  | { kind: 'time'; instant: number; timeZone: string }
  | { kind: 'day'; date: string };

export const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const LOCAL_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Parses `start` or `end` of an event. */
export function parseEventTime(
  which: 'start' | 'end',
  value: unknown,
  calendarZone: string,
): EventTime {
  if (typeof value !== 'object' || value === null) throw required(`Missing ${which} time.`);
  const { date, dateTime, timeZone } = value as Record<string, unknown>;
  if (typeof timeZone === 'string' && !isTimeZone(timeZone)) {
    throw invalid(`Invalid time zone definition for ${which} time.`);
  }
  const zone = typeof timeZone === 'string' ? timeZone : null;
  if (typeof dateTime === 'string' && typeof date === 'string') {
    throw invalid(`Invalid ${which} time.`);
  }
  if (typeof date === 'string') {
    if (!DATE.test(date) || Number.isNaN(Date.parse(date))) throw invalid(`Invalid ${which} time.`);
    return { kind: 'day', date };
  }
  if (typeof dateTime !== 'string') throw required(`Missing ${which} time.`);
  return {
    kind: 'time',
    instant: parseInstant(which, dateTime, zone),
    timeZone: zone ?? calendarZone,
  };
}

function parseInstant(which: string, dateTime: string, zone: string | null): number {
  let instant = Number.NaN;
  if (RFC3339.test(dateTime)) instant = Date.parse(dateTime);
  else if (LOCAL_DATE_TIME.test(dateTime)) {
    if (zone === null) throw required(`Missing time zone definition for ${which} time.`);
    // Skips invalid times such as "25:00", which `toInstant` cannot handle.
    if (!Number.isNaN(Date.parse(`${dateTime}Z`))) instant = toInstant(dateTime, zone);
  }
  if (Number.isNaN(instant)) throw invalid(`Invalid value for: ${which}.dateTime`);
  return Math.floor(instant / 1000) * 1000;
}

/** Google returns times in the requested zone or the calendar's, with the event's own zone in `timeZone`. */
export function formatEventDateTime(
  time: EventTime,
  zone: string,
): calendar_v3.Schema$EventDateTime {
  if (time.kind === 'day') return { date: time.date };
  return { dateTime: formatWithOffset(time.instant, zone), timeZone: time.timeZone };
}

export function toInstantMillis(time: EventTime, calendarZone: string): number {
  return time.kind === 'time' ? time.instant : toInstant(`${time.date}T00:00:00`, calendarZone);
}

export function isSameEventTime(a: EventTime, b: EventTime): boolean {
  if (a.kind === 'day') return b.kind === 'day' && a.date === b.date;
  return b.kind === 'time' && a.instant === b.instant && a.timeZone === b.timeZone;
}
