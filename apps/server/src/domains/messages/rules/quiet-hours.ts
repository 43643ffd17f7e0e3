import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/** Automatic messages are not sent from 21:00 to 7:00 in the recipient's time zone. */
const QUIET_FROM = 21;
const QUIET_UNTIL = 7;

/** A reminder that is brought forward is sent an hour before the quiet hours begin. */
const EVENING_HOUR = 20;
const MIN_NOTICE_MS = 3_600_000;

const toLocal = (timeZone: string, instant: Date) =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone);

const atHour = (day: Temporal.PlainDate, hour: number, timeZone: string): Date =>
  fromEpochMs(
    day.toPlainDateTime({ hour }).toZonedDateTime(timeZone, { disambiguation: 'compatible' })
      .epochMilliseconds,
  );

export function isQuiet(timeZone: string, instant: Date): boolean {
  const { hour } = toLocal(timeZone, instant);
  return hour >= QUIET_FROM || hour < QUIET_UNTIL;
}

/** The end of the quiet hours in which the instant falls. */
function quietHoursEnd(timeZone: string, instant: Date): Date {
  const local = toLocal(timeZone, instant);
  const date = local.toPlainDate();
  return atHour(local.hour < QUIET_UNTIL ? date : date.add({ days: 1 }), QUIET_UNTIL, timeZone);
}

/** The instant itself, or the end of the quiet hours if the instant falls within them. */
export const afterQuietHours = (timeZone: string, instant: Date): Date =>
  isQuiet(timeZone, instant) ? quietHoursEnd(timeZone, instant) : instant;

/**
 * When to send a reminder that is planned for `at`. If that falls within the quiet hours, the reminder waits until the morning
 * or, if this leaves less than an hour before the lesson, it is sent the evening before.
 */
export function reminderOutsideQuietHours(timeZone: string, at: Date, startsAt: Date): Date {
  if (!isQuiet(timeZone, at)) return at;
  const morning = quietHoursEnd(timeZone, at);
  if (startsAt.getTime() - morning.getTime() >= MIN_NOTICE_MS) return morning;
  const eveningBefore = toLocal(timeZone, morning).toPlainDate().subtract({ days: 1 });
  return atHour(eveningBefore, EVENING_HOUR, timeZone);
}

/** Changes to lessons before noon the next day are sent at any time, because the family would otherwise find out too late. */
export function isUrgent(timeZone: string, startsAt: Date, now: Date): boolean {
  const tomorrow = toLocal(timeZone, now).toPlainDate().add({ days: 1 });
  return startsAt > now && startsAt < atHour(tomorrow, 12, timeZone);
}

/** Null if there is none. */
export const earliest = (instants: readonly (Date | null)[]): Date | null =>
  instants.reduce<Date | null>(
    (first, each) => (first && (!each || first <= each) ? first : each),
    null,
  );
