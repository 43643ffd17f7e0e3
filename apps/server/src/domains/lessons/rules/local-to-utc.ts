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
 * The instants of a lesson in the tutor's time zone. A start inside the gap of a clock change moves forward by the gap; of
 * a start that exists twice the first is used. The end is the start plus the local duration, so a clock change never
 * makes a lesson longer or shorter.
 */
export function toInstants(timeZone: string, localSlot: LocalSlot): Instants {
  const start = toPlainDateTime(localSlot.date, localSlot.startTime).toZonedDateTime(timeZone, {
    disambiguation: 'compatible',
  }).epochMilliseconds;
  const minutes = durationMinutes(localSlot.startTime, localSlot.endTime);
  return { startsAt: fromEpochMs(start), endsAt: fromEpochMs(start + minutes * 60_000) };
}

/** Parsed by hand: this runs a hundred times for a series, and Temporal's own parsing takes longer than the rest. */
const toPlainDateTime = (date: string, time: string): Temporal.PlainDateTime =>
  new Temporal.PlainDateTime(
    Number(date.slice(0, 4)),
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
    Number(time.slice(0, 2)),
    Number(time.slice(3, 5)),
  );
