import { dayNumber } from '@lessonbook/contract/dates';
import { instantAt } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;

/** What a wall is ahead of UTC, in milliseconds, before and after a change of the clocks. */
export interface ClockChange {
  at: number;
  before: number;
  after: number;
}

export interface Wall {
  timeZone: string;
  /** Ahead of UTC by this much until the first change. */
  first: number;
  changes: ClockChange[];
}

const aheadOf = (zoned: Temporal.ZonedDateTime): number => zoned.offsetNanoseconds / 1_000_000;

/** The wall between two dates. Two days more on either side: another zone's date may begin and end that much apart. */
export function wallBetween(timeZone: string, from: string, to: string): Wall {
  const begin = (dayNumber(from) - 2) * DAY_MS;
  const end = (dayNumber(to) + 3) * DAY_MS;
  let zoned = Temporal.Instant.fromEpochMilliseconds(begin).toZonedDateTimeISO(timeZone);
  const first = aheadOf(zoned);
  const changes: ClockChange[] = [];
  for (;;) {
    const next = zoned.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > end) return { timeZone, first, changes };
    changes.push({ at: next.epochMilliseconds, before: aheadOf(zoned), after: aheadOf(next) });
    zoned = next;
  }
}

/** "2026-11-17T16:00:00" on a wall that is that much ahead of UTC. */
const shown = (at: number, ahead: number): string =>
  instantAt(at + ahead)
    .toISOString()
    .slice(0, 19);

/** What the wall shows when a change comes, by the clock as it still is. */
export const shownAtChange = ({ at, before }: ClockChange): string => shown(at, before);

/**
 * What the wall shows at an instant. None while it shows what it shows twice: the rule is to read it as the first time,
 * but some programs take the second.
 */
export function shownAt({ first, changes }: Wall, instant: Date): string | null {
  const at = instant.getTime();
  const twice = changes.some(({ before, after, ...change }) => {
    const gained = before - after;
    return at >= change.at - gained && at < change.at + gained;
  });
  if (twice) return null;
  return shown(at, changes.findLast((change) => change.at <= at)?.after ?? first);
}
