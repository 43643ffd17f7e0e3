import { Temporal } from 'temporal-polyfill';

export interface LocalSlot {
  date: string;
  startTime: string;
  endTime: string;
}

/** `null` if these times are not possible for a lesson: all day, across midnight or shorter than a minute. */
export function toLocalSlot(
  timeZone: string,
  startsAt: Date | null,
  endsAt: Date | null,
): LocalSlot | null {
  if (!startsAt || !endsAt) return null;
  const start = formatLocal(timeZone, startsAt);
  const end = formatLocal(timeZone, endsAt);
  const slot = {
    date: start.slice(0, 10),
    startTime: start.slice(11, 16),
    endTime: end.slice(11, 16),
  };
  return end.slice(0, 10) === slot.date && slot.endTime > slot.startTime ? slot : null;
}

const formatLocal = (timeZone: string, instant: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never', offset: 'never' });
