import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/** Nobody is asked for money at night: chasing goes out in the morning, on the tutor's wall. */
const MORNING_HOUR = 10;
const EVENING_HOUR = 20;

const localTimeAt = (timeZone: string, now: Date) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);

export function isDaytime(timeZone: string, now: Date): boolean {
  const { hour } = localTimeAt(timeZone, now);
  return hour >= MORNING_HOUR && hour < EVENING_HOUR;
}

export const nextMorning = (timeZone: string, now: Date): Date =>
  nextAt(timeZone, now, MORNING_HOUR);

/** When the day's lessons are mostly over. */
export const nextEvening = (timeZone: string, now: Date): Date =>
  nextAt(timeZone, now, EVENING_HOUR);

function nextAt(timeZone: string, now: Date, hour: number): Date {
  const wall = localTimeAt(timeZone, now).toPlainDate().toPlainDateTime({ hour });
  const at = (day: typeof wall) =>
    fromEpochMs(day.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds);
  return at(wall) > now ? at(wall) : at(wall.add({ days: 1 }));
}
