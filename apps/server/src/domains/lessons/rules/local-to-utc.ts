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
 * Converts a lesson's local times to instants, using the tutor's time zone. A start time skipped by a clock change moves
 * forward by the length of the gap; for a start time that occurs twice, the first is used. The end is the start plus the
 * local duration, so a clock change never makes a lesson longer or shorter.
 */
export function toInstants(timeZone: string, localSlot: LocalSlot): Instants {
  const startsAt = toInstant(timeZone, localSlot.date, localSlot.startTime);
  const minutes = durationMinutes(localSlot.startTime, localSlot.endTime);
  return { startsAt, endsAt: fromEpochMs(startsAt.getTime() + minutes * 60_000) };
}

/** Times around clock changes as in toInstants. */
export const toInstant = (timeZone: string, date: string, time: string): Date =>
  fromEpochMs(
    toPlainDateTime(date, time).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
      .epochMilliseconds,
  );

/** False for a time that a clock change skips. */
export function existsInZone(timeZone: string, date: string, time: string): boolean {
  const local = toPlainDateTime(date, time);
  return local.toZonedDateTime(timeZone).toPlainDateTime().equals(local);
}

/** Parsed manually: this runs about a hundred times per series, and Temporal's own parser would dominate the cost. */
const toPlainDateTime = (date: string, time: string): Temporal.PlainDateTime =>
  new Temporal.PlainDateTime(
    Number(date.slice(0, 4)),
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
    Number(time.slice(0, 2)),
    Number(time.slice(3, 5)),
  );
