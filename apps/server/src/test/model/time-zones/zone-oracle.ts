import type { OffsetTransition, Zone } from './tzdata-file.ts';

/* Converts between local times and instants, using a list of offset transitions. All times are in seconds. */

export function offsetAt(zone: Zone, instant: number): number {
  return transitionBefore(zone, instant)?.after ?? zone.initialOffset;
}

function transitionBefore(zone: Zone, instant: number): OffsetTransition | undefined {
  let [low, high] = [0, zone.transitions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((zone.transitions[middle] as OffsetTransition).at <= instant) low = middle + 1;
    else high = middle;
  }
  return zone.transitions[low - 1];
}

const DAY = 86_400;

/**
 * The instant of a local time. An ambiguous time means the first of the two instants. A time in a gap is moved forward by the
 * length of the gap, which is the same as using the offset before the gap.
 */
export function instantOfLocal(zone: Zone, local: number): number {
  const surroundingOffsets = [offsetAt(zone, local - 2 * DAY), offsetAt(zone, local + 2 * DAY)];
  if (transitionBefore(zone, local - 2 * DAY) === transitionBefore(zone, local + 2 * DAY)) {
    return local - offsetAt(zone, local);
  }
  const nearbyTransitions = zone.transitions.filter(
    (transition) => Math.abs(transition.at - local) < 2 * DAY,
  );
  const offsets = new Set([
    ...surroundingOffsets,
    ...nearbyTransitions.flatMap(({ before, after }) => [before, after]),
  ]);
  const found = [...offsets]
    .map((offset) => local - offset)
    .filter((instant) => local - offsetAt(zone, instant) === instant);
  if (found.length > 0) return Math.min(...found);
  const gap = nearbyTransitions.find(
    ({ at, before, after }) => local - before >= at && local - after < at,
  );
  if (!gap) throw new Error(`${zone.name}: no instant and no gap at local time ${local}`);
  return local - gap.before;
}

/* Date arithmetic without Date or Temporal. */

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (MONTH_LENGTHS[month - 1] as number);

interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

const parseDate = (date: string): CalendarDate => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
};
const formatDate = ({ year, month, day }: CalendarDate): string =>
  `${pad(year, 4)}-${pad(month)}-${pad(day)}`;

/** `count` days later, counted day by day; `count` may be negative. */
export function daysAfter(date: string, count: number): string {
  let { year, month, day } = parseDate(date);
  const step = Math.sign(count);
  for (let remaining = Math.abs(count); remaining > 0; remaining--) {
    day += step;
    if (day > daysInMonth(year, month)) [day, month] = [1, month + 1];
    if (month > 12) [month, year] = [1, year + 1];
    if (day < 1) {
      month -= 1;
      if (month < 1) [month, year] = [12, year - 1];
      day = daysInMonth(year, month);
    }
  }
  return formatDate({ year, month, day });
}

/** The same day of the month `count` months later, or the last day of a shorter month. */
export function monthsAfter(date: string, count: number): string {
  let { year, month, day } = parseDate(date);
  for (let remaining = Math.abs(count); remaining > 0; remaining--) {
    month += Math.sign(count);
    if (month > 12) [month, year] = [1, year + 1];
    if (month < 1) [month, year] = [12, year - 1];
  }
  day = Math.min(day, daysInMonth(year, month));
  return formatDate({ year, month, day });
}

export type RecurrencePattern = 'weekly' | 'biweekly' | 'monthly';

/** The date of occurrence number `step`, counting from 0. */
export function occurrenceDate(repeat: RecurrencePattern, first: string, step: number): string {
  if (repeat === 'monthly') return monthsAfter(first, step);
  return daysAfter(first, step * (repeat === 'weekly' ? 7 : 14));
}

/** A local time in seconds, as if it were UTC. */
export function localSeconds(date: string, minute: number): number {
  const { year, month, day } = parseDate(date);
  return Date.UTC(year, month - 1, day) / 1000 + minute * 60;
}

export const localDate = (local: number): string =>
  new Date(local * 1000).toISOString().slice(0, 10);
export const minuteText = (minute: number): string =>
  `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
