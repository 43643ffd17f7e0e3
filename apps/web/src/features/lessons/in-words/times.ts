import type { Taken } from './days.ts';
import { numberOf } from './words.ts';

/** A time as it was said: 'four' may be either, until the rest of the sentence says which. */
export interface SaidTime {
  hour: number;
  minute: number;
  half: 'am' | 'pm' | null;
  /** Written as on a clock of 24 hours, such as '16:00' or '04:30': it means what it says. */
  exact: boolean;
}

export interface SaidTimes {
  start: SaidTime;
  end: SaidTime | null;
}

/** '4pm', '4-5pm', 'from 4pm to 5pm'. What follows 'until' may be a day, so that is asked elsewhere. */
export function readTimes(phrase: readonly string[]): Taken<SaidTimes> | null {
  const [from, to, ...more] = (phrase[0] ?? '').split('-');
  if (to !== undefined && more.length === 0) {
    const [start, end] = [readClock(from), readClock(to)];
    return start && end && { value: { start, end }, words: 1 };
  }
  const start = readTime(phrase);
  if (!start) return null;
  const end = phrase[start.words] === 'to' ? readTime(phrase.slice(start.words + 1)) : null;
  return {
    value: { start: start.value, end: end?.value ?? null },
    words: start.words + (end ? 1 + end.words : 0),
  };
}

export function readTime(phrase: readonly string[]): Taken<SaidTime> | null {
  const [first, second, third] = phrase;
  if (first === 'at' || first === 'from') {
    // 'at four' is a time; 'four' by itself may be anything.
    const time = readTime(phrase.slice(1)) ?? onTheDial(second, 0, third, 1);
    return time && { value: time.value, words: 1 + time.words };
  }
  const clock = readClock(first);
  return clock ? { value: clock, words: 1 } : readSpoken(phrase);
}

/** '4pm', '4.30pm', '16:00', '4', 'noon' */
function readClock(text = ''): SaidTime | null {
  if (text === 'noon' || text === 'midday') return { hour: 12, minute: 0, half: null, exact: true };
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(am|pm)?$/.exec(text);
  if (!match) return null;
  const [, digits = '', minutes = '0', half = null] = match;
  const [hour, minute] = [Number(digits), Number(minutes)];
  if (minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return null;
  const exact = half === null && (digits.startsWith('0') || hour > 12);
  return { hour, minute, half: half as SaidTime['half'], exact };
}

const FRACTIONS = new Map([
  ['five', 5],
  ['ten', 10],
  ['quarter', 15],
  ['twenty', 20],
  ['half', 30],
]);

/** 'half past four', 'quarter to five', 'half four', "four o'clock", each with 'am' or 'pm' or without. */
function readSpoken(phrase: readonly string[]): Taken<SaidTime> | null {
  const [first = '', second, third, fourth] = phrase;
  const minutes = FRACTIONS.get(first);
  if (minutes !== undefined && second === 'past') return onTheDial(third, minutes, fourth, 3);
  if (minutes !== undefined && second === 'to') return onTheDial(third, -minutes, fourth, 3);
  if (first === 'half') return onTheDial(second, 30, third, 2);
  if (second === "o'clock" || second === 'oclock') return onTheDial(first, 0, third, 2);
  return null;
}

/** So many minutes past an hour or, below nought, to it; and which half of the day, where that is said. */
function onTheDial(
  text: string | undefined,
  minutes: number,
  behind: string | undefined,
  words: number,
): Taken<SaidTime> | null {
  const own = /^(\d{1,2})(am|pm)$/.exec(text ?? '');
  const full = numberOf(own ? own[1] : text);
  if (full === null || full < 1 || full > 12) return null;
  const said = own?.[2] ?? behind;
  const half = said === 'am' || said === 'pm' ? said : null;
  const hour = minutes < 0 ? (full === 1 ? 12 : full - 1) : full;
  const minute = (60 + minutes) % 60;
  return { value: { hour, minute, half, exact: false }, words: words + (half && !own ? 1 : 0) };
}

/* From what was said to the clock on the wall. Minutes of the day, so that two of them can be compared. */

const NOON = 12 * 60;

const onHalf = ({ hour, minute }: SaidTime, half: 'am' | 'pm'): number =>
  (hour % 12) * 60 + minute + (half === 'pm' ? NOON : 0);

/** Without a word for it, one to seven is in the afternoon: that is when pupils have time. */
const isAfternoon = ({ hour, half, exact }: SaidTime): boolean =>
  half === null && !exact && hour >= 1 && hour <= 7;

const byItself = (time: SaidTime): number => {
  if (time.half) return onHalf(time, time.half);
  return isAfternoon(time) ? onHalf(time, 'pm') : time.hour * 60 + time.minute;
};

const OTHER = { am: 'pm', pm: 'am' } as const;

export interface ClockTimes {
  start: string;
  /** None when it was not said, or would not come after the start. */
  end: string | null;
  /** The hour that was taken for one in the afternoon. */
  assumed: string | null;
}

export function clockTimes({ start, end }: SaidTimes): ClockTimes {
  const from = startMinutes(start, end);
  const to = end && endMinutes(end, start, from);
  const isGuess = isAfternoon(start) && !(end && saysHalf(end));
  return {
    start: clockOf(from),
    end: to !== null && to > from ? clockOf(to) : null,
    assumed: isGuess ? spokenHour(start) : null,
  };
}

const saysHalf = ({ half, exact }: SaidTime): boolean => half !== null || exact;

/** '4-5pm': the start is on the same half of the day as the end, unless it would come after it. */
function startMinutes(start: SaidTime, end: SaidTime | null): number {
  if (start.half || start.exact || !end || !saysHalf(end)) return byItself(start);
  const last = byItself(end);
  const half = end.half ?? (last >= NOON ? 'pm' : 'am');
  const same = onHalf(start, half);
  return same < last ? same : onHalf(start, OTHER[half]);
}

/** '4pm-5' and '7-8': the end is the first such hour after the start. */
function endMinutes(end: SaidTime, start: SaidTime, from: number): number {
  if (saysHalf(end)) return byItself(end);
  const morning = onHalf(end, 'am');
  const plain = start.exact ? end.hour * 60 + end.minute : morning;
  return plain > from ? plain : onHalf(end, 'pm');
}

const spokenHour = ({ hour, minute }: SaidTime): string =>
  minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;

export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
