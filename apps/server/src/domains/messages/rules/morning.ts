import { instantAt } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/** Nobody is asked for money at night: chasing goes out in the morning, on the tutor's wall. */
const HOUR = 10;
const EVENING = 20;

const wallAt = (timeZone: string, now: Date) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);

export function isDaytime(timeZone: string, now: Date): boolean {
  const { hour } = wallAt(timeZone, now);
  return hour >= HOUR && hour < EVENING;
}

export const nextMorning = (timeZone: string, now: Date): Date => nextAt(timeZone, now, HOUR);

/** When the day's lessons are mostly over. */
export const nextEvening = (timeZone: string, now: Date): Date => nextAt(timeZone, now, EVENING);

function nextAt(timeZone: string, now: Date, hour: number): Date {
  const wall = wallAt(timeZone, now).toPlainDate().toPlainDateTime({ hour });
  const at = (day: typeof wall) =>
    instantAt(day.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds);
  return at(wall) > now ? at(wall) : at(wall.add({ days: 1 }));
}
