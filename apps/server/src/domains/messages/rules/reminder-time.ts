import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

const DAY = 1440;

/**
 * When to remind of a lesson. Whole days are counted on the wall, so "a day before" 16:00 is 16:00 also across a clock change;
 * hours are counted as they pass.
 */
export function reminderTime(
  timeZone: string,
  lesson: { date: string; startTime: string; startsAt: Date },
  leadMinutes: number,
): Date {
  if (leadMinutes % DAY !== 0) return fromEpochMs(lesson.startsAt.getTime() - leadMinutes * 60_000);
  const wall = Temporal.PlainDateTime.from(`${lesson.date}T${lesson.startTime}`).subtract({
    days: leadMinutes / DAY,
  });
  return fromEpochMs(
    wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds,
  );
}
