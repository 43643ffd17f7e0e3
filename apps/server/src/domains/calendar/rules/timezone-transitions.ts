import { dayNumber } from '@lessonbook/contract/dates';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;

/** A change in the UTC offset. Offsets are in milliseconds. */
export interface OffsetTransition {
  at: number;
  before: number;
  after: number;
}

export interface ZoneOffsets {
  timeZone: string;
  /** The UTC offset before the first transition. */
  initialOffset: number;
  transitions: OffsetTransition[];
}

const utcOffsetMs = (zoned: Temporal.ZonedDateTime): number => zoned.offsetNanoseconds / 1_000_000;

/** The UTC offsets between two dates, with a margin because a date starts at different instants in different zones. */
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

/** The local time of the transition, using the offset before it. */
export const localTimeAtTransition = ({ at, before }: OffsetTransition): string =>
  formatLocal(at, before);

/**
 * The local time at an instant, or `null` if that local time is ambiguous. In RFC 5545, an ambiguous time means the first
 * occurrence, but some calendar apps use the second.
 */
export function localTimeAt(
  { initialOffset, transitions }: ZoneOffsets,
  instant: Date,
): string | null {
  const at = instant.getTime();
  const isAmbiguous = transitions.some(({ before, after, ...change }) => {
    const repeatedMs = before - after;
    return at >= change.at - repeatedMs && at < change.at + repeatedMs;
  });
  if (isAmbiguous) return null;
  return formatLocal(at, transitions.findLast((change) => change.at <= at)?.after ?? initialOffset);
}
