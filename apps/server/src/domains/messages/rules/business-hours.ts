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
  nextAt(timeZone, now, MORNING_HOUR);

export const nextEvening = (timeZone: string, now: Date): Date =>
  nextAt(timeZone, now, EVENING_HOUR);

function nextAt(timeZone: string, now: Date, hour: number): Date {
  const local = localTimeAt(timeZone, now).toPlainDate().toPlainDateTime({ hour });
  const at = (day: typeof local) =>
    fromEpochMs(day.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds);
  return at(local) > now ? at(local) : at(local.add({ days: 1 }));
}
