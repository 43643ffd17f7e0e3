import { durationMinutes } from '@lessonbook/contract/dates';
import { instantAt } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

export interface WallTime {
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
export function instantsOf(timeZone: string, wall: WallTime): Instants {
  const start = Temporal.PlainDateTime.from(`${wall.date}T${wall.startTime}`).toZonedDateTime(
    timeZone,
    {
      disambiguation: 'compatible',
    },
  ).epochMilliseconds;
  const minutes = durationMinutes(wall.startTime, wall.endTime);
  return { startsAt: instantAt(start), endsAt: instantAt(start + minutes * 60_000) };
}
