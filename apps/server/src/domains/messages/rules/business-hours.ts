import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/** Overdue reminders are sent only between these hours in the tutor's time zone. */
const MORNING_HOUR = 10;
const EVENING_HOUR = 20;

const localTimeAt = (timeZone: string, now: Date) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);

export function isDaytime(timeZone: string, now: Date): boolean {
  const { hour } = localTimeAt(timeZone, now);
  return hour >= MORNING_HOUR && hour < EVENING_HOUR;
}

export const nextMorning = (timeZone: string, now: Date): Date =>
  nextLocalHour(timeZone, now, MORNING_HOUR);

export const nextEvening = (timeZone: string, now: Date): Date =>
  nextLocalHour(timeZone, now, EVENING_HOUR);

function nextLocalHour(timeZone: string, now: Date, hour: number): Date {
  const local = localTimeAt(timeZone, now).toPlainDate().toPlainDateTime({ hour });
  const toInstant = (day: typeof local) =>
    fromEpochMs(day.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds);
  return toInstant(local) > now ? toInstant(local) : toInstant(local.add({ days: 1 }));
}
