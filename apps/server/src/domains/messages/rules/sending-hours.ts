import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/** Overdue reminders are sent only between these hours in the recipient's time zone. */
const MORNING_HOUR = 10;
const EVENING_HOUR = 20;

const localTimeAt = (timeZone: string, now: Date) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);

export function isWithinSendingHours(timeZone: string, now: Date): boolean {
  const { hour } = localTimeAt(timeZone, now);
  return hour >= MORNING_HOUR && hour < EVENING_HOUR;
}

/** The instant itself if it is within the sending hours, otherwise the next morning. */
export const nextSendingTime = (timeZone: string, instant: Date): Date =>
  isWithinSendingHours(timeZone, instant) ? instant : nextMorning(timeZone, instant);

export const morningOf = (timeZone: string, date: string): Date =>
  toInstant(Temporal.PlainDate.from(date).toPlainDateTime({ hour: MORNING_HOUR }), timeZone);

export const nextMorning = (timeZone: string, now: Date): Date =>
  nextLocalHour(timeZone, now, MORNING_HOUR);

export const nextEvening = (timeZone: string, now: Date): Date =>
  nextLocalHour(timeZone, now, EVENING_HOUR);

export function nextLocalHour(timeZone: string, now: Date, hour: number): Date {
  const local = localTimeAt(timeZone, now).toPlainDate().toPlainDateTime({ hour });
  const today = toInstant(local, timeZone);
  return today > now ? today : toInstant(local.add({ days: 1 }), timeZone);
}

const toInstant = (local: Temporal.PlainDateTime, timeZone: string): Date =>
  fromEpochMs(local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds);
