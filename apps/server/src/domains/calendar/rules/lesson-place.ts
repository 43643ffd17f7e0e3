import { Temporal } from 'temporal-polyfill';

export interface WallPlace {
  date: string;
  startTime: string;
  endTime: string;
}

/** Where the tutor's wall has it; none when no lesson can be like that: a whole day, past midnight, shorter than a minute. */
export function onTheWall(
  timeZone: string,
  startsAt: Date | null,
  endsAt: Date | null,
): WallPlace | null {
  if (!startsAt || !endsAt) return null;
  const start = local(timeZone, startsAt);
  const end = local(timeZone, endsAt);
  const place = {
    date: start.slice(0, 10),
    startTime: start.slice(11, 16),
    endTime: end.slice(11, 16),
  };
  return end.slice(0, 10) === place.date && place.endTime > place.startTime ? place : null;
}

const local = (timeZone: string, instant: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ smallestUnit: 'minute', timeZoneName: 'never', offset: 'never' });
