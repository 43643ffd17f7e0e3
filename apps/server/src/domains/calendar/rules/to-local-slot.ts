import { Temporal } from 'temporal-polyfill';

export interface LocalSlot {
  date: string;
  startTime: string;
  endTime: string;
}

/** Where the tutor's wall has it; none when no lesson can be like that: a whole day, past midnight, shorter than a minute. */
export function toLocalSlot(
  timeZone: string,
  startsAt: Date | null,
  endsAt: Date | null,
): LocalSlot | null {
  if (!startsAt || !endsAt) return null;
  const start = formatLocal(timeZone, startsAt);
  const end = formatLocal(timeZone, endsAt);
  const place = {
    date: start.slice(0, 10),
    startTime: start.slice(11, 16),
    endTime: end.slice(11, 16),
  };
  return end.slice(0, 10) === place.date && place.endTime > place.startTime ? place : null;
}

const formatLocal = (timeZone: string, instant: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never', offset: 'never' });
