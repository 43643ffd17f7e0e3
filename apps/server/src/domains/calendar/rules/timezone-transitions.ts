import { dayNumber } from '@lessonbook/contract/dates';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;

/** What a wall is ahead of UTC, in milliseconds, before and after a change of the clocks. */
export interface OffsetTransition {
  at: number;
  before: number;
  after: number;
}

export interface ZoneOffsets {
  timeZone: string;
  /** Ahead of UTC by this much until the first change. */
  initialOffset: number;
  transitions: OffsetTransition[];
}

const utcOffsetMs = (zoned: Temporal.ZonedDateTime): number => zoned.offsetNanoseconds / 1_000_000;

/** The wall between two dates. Two days more on either side: another zone's date may begin and end that much apart. */
export function zoneOffsetsBetween(timeZone: string, from: string, to: string): ZoneOffsets {
  const begin = (dayNumber(from) - 2) * DAY_MS;
  const end = (dayNumber(to) + 3) * DAY_MS;
  let zoned = Temporal.Instant.fromEpochMilliseconds(begin).toZonedDateTimeISO(timeZone);
  const first = utcOffsetMs(zoned);
  const changes: OffsetTransition[] = [];
  for (;;) {
    const next = zoned.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > end)
      return { timeZone, initialOffset: first, transitions: changes };
    changes.push({
      at: next.epochMilliseconds,
      before: utcOffsetMs(zoned),
      after: utcOffsetMs(next),
    });
    zoned = next;
  }
}

/** "2026-11-17T16:00:00" on a wall that is that much ahead of UTC. */
const formatLocal = (at: number, ahead: number): string =>
  fromEpochMs(at + ahead)
    .toISOString()
    .slice(0, 19);

/** What the wall shows when a change comes, by the clock as it still is. */
export const localTimeAtTransition = ({ at, before }: OffsetTransition): string =>
  formatLocal(at, before);

/**
 * What the wall shows at an instant. None while it shows what it shows twice: the rule is to read it as the first time,
 * but some programs take the second.
 */
export function localTimeAt(
  { initialOffset, transitions }: ZoneOffsets,
  instant: Date,
): string | null {
  const at = instant.getTime();
  const twice = transitions.some(({ before, after, ...change }) => {
    const gained = before - after;
    return at >= change.at - gained && at < change.at + gained;
  });
  if (twice) return null;
  return formatLocal(at, transitions.findLast((change) => change.at <= at)?.after ?? initialOffset);
}
