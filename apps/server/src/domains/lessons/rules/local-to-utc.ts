import { durationMinutes } from '@lessonbook/contract/dates';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

export interface LocalSlot {
  date: string;
  startTime: string;
  endTime: string;
}

export interface Instants {
  startsAt: Date;
  endsAt: Date;
}

/**
 * The instants of a lesson on the tutor's wall. A start that does not exist on the night of a clock change moves forward
 * by the gap, one that exists twice takes the first; the end is always the start plus the minutes on the wall, so a
 * lesson never grows or shrinks.
 */
export function toInstants(timeZone: string, localSlot: LocalSlot): Instants {
  const start = toPlainDateTime(localSlot.date, localSlot.startTime).toZonedDateTime(timeZone, {
    disambiguation: 'compatible',
  }).epochMilliseconds;
  const minutes = durationMinutes(localSlot.startTime, localSlot.endTime);
  return { startsAt: fromEpochMs(start), endsAt: fromEpochMs(start + minutes * 60_000) };
}

/** By number: a series asks a hundred times, and Temporal's own reading of a text takes longer than all the rest. */
const toPlainDateTime = (date: string, time: string): Temporal.PlainDateTime =>
  new Temporal.PlainDateTime(
    Number(date.slice(0, 4)),
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
    Number(time.slice(0, 2)),
    Number(time.slice(3, 5)),
  );
