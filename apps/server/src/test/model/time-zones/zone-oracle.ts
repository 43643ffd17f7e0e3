import type { ClockChange, Zone } from './tzdata-file.ts';

/* What the wall shows and when, counted by hand from a list of clock changes. Seconds everywhere. */

export function offsetAt(zone: Zone, instant: number): number {
  return changeBefore(zone, instant)?.after ?? zone.first;
}

function changeBefore(zone: Zone, instant: number): ClockChange | undefined {
  let [low, high] = [0, zone.changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((zone.changes[middle] as ClockChange).at <= instant) low = middle + 1;
    else high = middle;
  }
  return zone.changes[low - 1];
}

const DAY = 86_400;

/**
 * The instant of a wall time. One that exists twice takes the first; one that does not exist moves forward by the gap,
 * which is to read it with the offset of before.
 */
export function instantOfWall(zone: Zone, wall: number): number {
  const around = [offsetAt(zone, wall - 2 * DAY), offsetAt(zone, wall + 2 * DAY)];
  if (changeBefore(zone, wall - 2 * DAY) === changeBefore(zone, wall + 2 * DAY)) {
    return wall - offsetAt(zone, wall);
  }
  const near = zone.changes.filter((change) => Math.abs(change.at - wall) < 2 * DAY);
  const offsets = new Set([...around, ...near.flatMap(({ before, after }) => [before, after])]);
  const found = [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => wall - offsetAt(zone, instant) === instant);
  if (found.length > 0) return Math.min(...found);
  const gap = near.find(({ at, before, after }) => wall - before >= at && wall - after < at);
  if (!gap) throw new Error(`${zone.name}: no instant and no gap at wall ${wall}`);
  return wall - gap.before;
}

/* Dates, once more by hand. */

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengthOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] as number);

interface Civil {
  year: number;
  month: number;
  day: number;
}

const read = (date: string): Civil => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
};
const write = ({ year, month, day }: Civil): string => `${pad(year, 4)}-${pad(month)}-${pad(day)}`;

/** The day after, or `count` days after, one page of the calendar at a time. */
export function daysAfter(date: string, count: number): string {
  let { year, month, day } = read(date);
  const step = Math.sign(count);
  for (let left = Math.abs(count); left > 0; left--) {
    day += step;
    if (day > lengthOf(year, month)) [day, month] = [1, month + 1];
    if (month > 12) [month, year] = [1, year + 1];
    if (day < 1) {
      month -= 1;
      if (month < 1) [month, year] = [12, year - 1];
      day = lengthOf(year, month);
    }
  }
  return write({ year, month, day });
}

/** The same day of the month so many months on, or the last day of a month that is too short. */
export function monthsAfter(date: string, count: number): string {
  let { year, month, day } = read(date);
  for (let left = Math.abs(count); left > 0; left--) {
    month += Math.sign(count);
    if (month > 12) [month, year] = [1, year + 1];
    if (month < 1) [month, year] = [12, year - 1];
  }
  day = Math.min(day, lengthOf(year, month));
  return write({ year, month, day });
}

export type Repeat = 'weekly' | 'biweekly' | 'monthly';

/** The date `step` repeats after the first. */
export function repeated(repeat: Repeat, first: string, step: number): string {
  if (repeat === 'monthly') return monthsAfter(first, step);
  return daysAfter(first, step * (repeat === 'weekly' ? 7 : 14));
}

/** Seconds on a wall that never changes: only differences and sums of these mean something. */
export function wallSeconds(date: string, minute: number): number {
  const { year, month, day } = read(date);
  return Date.UTC(year, month - 1, day) / 1000 + minute * 60;
}

export const wallDate = (wall: number): string => new Date(wall * 1000).toISOString().slice(0, 10);
export const minuteText = (minute: number): string =>
  `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
