import type { OffsetTransition, Zone } from './tzdata-file.ts';
import { offsetAt } from './zone-oracle.ts';

/* Node's time zone data, read through Intl. Used to distinguish differences in the data from bugs in our code. */

const DAY = 86_400;

/** Returns a function that gives the UTC offset at an instant, both in seconds. */
export function intlOffsets(name: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (
      format.format(instant * 1000).match(/\d+/g) ?? []
    ).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
  };
}

/**
 * Describes the first difference between Intl and the zone file. Compares the offsets every week and on both sides of every
 * transition in the file.
 */
export function firstDifference(zone: Zone, from: number, to: number): string | undefined {
  const intl = intlOffsets(zone.name);
  const instants = zone.transitions
    .filter(({ at }) => at > from && at < to)
    .flatMap(({ at }) => [at - 1, at]);
  for (let instant = from; instant < to; instant += 7 * DAY) instants.push(instant);
  const found = instants
    .toSorted((a, b) => a - b)
    .find((instant) => intl(instant) !== offsetAt(zone, instant));
  if (found === undefined) return undefined;
  const formatOffset = (offset: number) => `UTC${offset < 0 ? '' : '+'}${offset / 3600}`;
  return `${zone.name} from ${new Date(found * 1000).toISOString()}: Node ${formatOffset(intl(found))}, system ${formatOffset(offsetAt(zone, found))}`;
}

/** The zone's transitions in Node's data. Compares offsets day by day and finds the exact second by binary search. */
export function intlZone(name: string, from: number, to: number): Zone {
  const intl = intlOffsets(name);
  const first = intl(from);
  const transitions: OffsetTransition[] = [];
  let before = first;
  for (let instant = from + DAY; instant <= to; instant += DAY) {
    const after = intl(instant);
    if (after === before) continue;
    let [low, high] = [instant - DAY, instant];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (intl(middle) === before) low = middle;
      else high = middle;
    }
    transitions.push({ at: high, before, after });
    before = after;
  }
  return { name, initialOffset: first, transitions };
}
