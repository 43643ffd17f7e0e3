import type { Match } from '@lessonbook/contract/parse-date';
import { parseNumber } from '@lessonbook/contract/parse-date-phrase';

/** A time as typed: 'four' may be am or pm until the rest of the sentence is parsed. */
export interface ParsedTime {
  hour: number;
  minute: number;
  meridiem: 'am' | 'pm' | null;
  /** In 24-hour format, such as '16:00' or '04:30', and therefore unambiguous. */
  is24Hour: boolean;
}

export interface ParsedTimeRange {
  start: ParsedTime;
  end: ParsedTime | null;
}

/** '4pm', '4-5pm', 'from 4pm to 5pm'. 'until' is handled elsewhere, because a date may follow it. */
export function parseTimeRange(phrase: readonly string[]): Match<ParsedTimeRange> | null {
  const [from, to, ...others] = (phrase[0] ?? '').split('-');
  if (to !== undefined && others.length === 0) {
    const [start, end] = [parseClock(from), parseClock(to)];
    return start && end && { value: { start, end }, tokenCount: 1 };
  }
  const start = parseTime(phrase);
  if (!start) return null;
  const end =
    phrase[start.tokenCount] === 'to' ? parseTime(phrase.slice(start.tokenCount + 1)) : null;
  return {
    value: { start: start.value, end: end?.value ?? null },
    tokenCount: start.tokenCount + (end ? 1 + end.tokenCount : 0),
  };
}

export function parseTime(phrase: readonly string[]): Match<ParsedTime> | null {
  const [first, second, third] = phrase;
  if (first === 'at' || first === 'from') {
    // 'at four' is a time; 'four' on its own is ambiguous.
    const time = parseTime(phrase.slice(1)) ?? parseHour(second, 0, third, 1);
    return time && { value: time.value, tokenCount: 1 + time.tokenCount };
  }
  const clock = parseClock(first);
  return clock ? { value: clock, tokenCount: 1 } : parseSpokenTime(phrase);
}

/** '4pm', '4.30pm', '16:00', '1600', '4', 'noon' */
function parseClock(text = ''): ParsedTime | null {
  if (text === 'noon' || text === 'midday')
    return { hour: 12, minute: 0, meridiem: null, is24Hour: true };
  // '1700' and '930' are times, too.
  const match =
    /^(\d{1,2})(?:[:.](\d{2}))?(am|pm)?$/.exec(text) ?? /^(\d{1,2})([0-5]\d)(am|pm)?$/.exec(text);
  if (!match) return null;
  const [, digits = '', minutes = '0', meridiem = null] = match;
  const [hour, minute] = [Number(digits), Number(minutes)];
  // A lesson that lasts until midnight is stored as ending at 23:59.
  if (hour === 24 && minutes === '00' && !meridiem)
    return { hour: 23, minute: 59, meridiem: null, is24Hour: true };
  if (minute > 59 || hour > 23 || (meridiem && (hour < 1 || hour > 12))) return null;
  const is24Hour = meridiem === null && (digits.startsWith('0') || hour > 12);
  return { hour, minute, meridiem: meridiem as ParsedTime['meridiem'], is24Hour };
}

const MINUTES_BY_WORD = new Map([
  ['five', 5],
  ['ten', 10],
  ['quarter', 15],
  ['twenty', 20],
  ['half', 30],
]);

/** 'half past four', 'quarter to five', 'half four', "four o'clock", each with or without 'am' or 'pm'. */
function parseSpokenTime(phrase: readonly string[]): Match<ParsedTime> | null {
  const [first = '', second, third, fourth] = phrase;
  const minutes = MINUTES_BY_WORD.get(first);
  if (minutes !== undefined && second === 'past') return parseHour(third, minutes, fourth, 3);
  if (minutes !== undefined && second === 'to') return parseHour(third, -minutes, fourth, 3);
  if (first === 'half') return parseHour(second, 30, third, 2);
  if (second === "o'clock" || second === 'oclock') return parseHour(first, 0, third, 2);
  return null;
}

/** `minutes` past the hour, or to the hour if negative; `next` may be 'am' or 'pm'. */
function parseHour(
  text: string | undefined,
  minutes: number,
  next: string | undefined,
  tokenCount: number,
): Match<ParsedTime> | null {
  const attached = /^(\d{1,2})(am|pm)$/.exec(text ?? '');
  const fullHour = parseNumber(attached ? attached[1] : text);
  if (fullHour === null || fullHour < 1 || fullHour > 12) return null;
  const suffix = attached?.[2] ?? next;
  const meridiem = suffix === 'am' || suffix === 'pm' ? suffix : null;
  const hour = minutes < 0 ? (fullHour === 1 ? 12 : fullHour - 1) : fullHour;
  const minute = (60 + minutes) % 60;
  return {
    value: { hour, minute, meridiem, is24Hour: false },
    tokenCount: tokenCount + (meridiem && !attached ? 1 : 0),
  };
}
