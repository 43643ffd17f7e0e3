import { dayNumber } from '@lessonbook/contract/dates';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;

/** A change of the UTC offset; offsets in milliseconds. */
export interface OffsetTransition {
  at: number;
  before: number;
  after: number;
}

export interface ZoneOffsets {
  timeZone: string;
  /** UTC offset until the first transition. */
  initialOffset: number;
  transitions: OffsetTransition[];
}

const utcOffsetMs = (zoned: Temporal.ZonedDateTime): number => zoned.offsetNanoseconds / 1_000_000;

/** UTC offsets between two dates, with a margin because a date begins at different instants in different zones. */
export function zoneOffsetsBetween(timeZone: string, from: string, to: string): ZoneOffsets {
  const begin = (dayNumber(from) - 2) * DAY_MS;
  const end = (dayNumber(to) + 3) * DAY_MS;
  let zoned = Temporal.Instant.fromEpochMilliseconds(begin).toZonedDateTimeISO(timeZone);
  const initialOffset = utcOffsetMs(zoned);
  const transitions: OffsetTransition[] = [];
  for (;;) {
    const next = zoned.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > end) return { timeZone, initialOffset, transitions };
    transitions.push({
      at: next.epochMilliseconds,
      before: utcOffsetMs(zoned),
      after: utcOffsetMs(next),
    });
    zoned = next;
  }
}

/** "2026-11-17T16:00:00" */
const formatLocal = (at: number, offset: number): string =>
  fromEpochMs(at + offset)
    .toISOString()
    .slice(0, 19);

/** Local time of the transition, by the offset before it. */
export const localTimeAtTransition = ({ at, before }: OffsetTransition): string =>
  formatLocal(at, before);

/**
 * Local time at an instant. `null` while the local time is ambiguous: RFC 5545 says to read it as the first occurrence,
 * but some programs take the second.
 */
export function localTimeAt(
  { initialOffset, transitions }: ZoneOffsets,
  instant: Date,
): string | null {
  const at = instant.getTime();
  const isAmbiguous = transitions.some(({ before, after, ...change }) => {
    const gained = before - after;
    return at >= change.at - gained && at < change.at + gained;
  });
  if (isAmbiguous) return null;
  return formatLocal(at, transitions.findLast((change) => change.at <= at)?.after ?? initialOffset);
}
