import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

const DAY_MINUTES = 1440;

/**
 * Lead times of whole days are subtracted in local time, so that "a day before" 16:00 is still 16:00 across a DST transition.
 * Other lead times are subtracted as elapsed time.
 */
export function reminderTime(
  timeZone: string,
  lesson: { date: string; startTime: string; startsAt: Date },
  leadMinutes: number,
): Date {
  if (leadMinutes % DAY_MINUTES !== 0)
    return fromEpochMs(lesson.startsAt.getTime() - leadMinutes * 60_000);
  const local = Temporal.PlainDateTime.from(`${lesson.date}T${lesson.startTime}`).subtract({
    days: leadMinutes / DAY_MINUTES,
  });
  return fromEpochMs(
    local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds,
  );
}
