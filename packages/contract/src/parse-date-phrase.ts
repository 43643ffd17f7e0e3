import { addDaysToDate, daysInMonth, startOfWeek, weekday as weekdayOf } from './dates.ts';
import {
  type CalendarDateExpression,
  formatDate,
  type Match,
  nextOccurrence,
  parseDayOfMonth,
  parseMonth,
  parseNamedDate,
  parseNumericDate,
  parseYear,
  RELATIVE_DAYS,
} from './parse-date.ts';

/* Dates in a sentence, for quick add and search. Kept separate from `parse-date.ts`, which every date field loads. */

/** A date as typed. It is resolved to a calendar date later. */
export type DateExpression =
  | CalendarDateExpression
  | { kind: 'weekday'; weekday: number; nextWeek: boolean };

const WEEKDAYS = [
  ['mon', 'monday', 'mondays'],
  ['tue', 'tues', 'tuesday', 'tuesdays'],
  ['wed', 'weds', 'wednesday', 'wednesdays'],
  ['thu', 'thur', 'thurs', 'thursday', 'thursdays'],
  ['fri', 'friday', 'fridays'],
  ['sat', 'saturday', 'saturdays'],
  ['sun', 'sunday', 'sundays'],
];

/** Monday is 1; null for any other word. */
export function parseWeekday(text: string | undefined): number | null {
  const index = WEEKDAYS.findIndex((names) => text !== undefined && names.includes(text));
  return index === -1 ? null : index + 1;
}

/** 'Thursdays', which means every week. */
export const isPluralWeekday = (text: string): boolean =>
  text.endsWith('days') && parseWeekday(text) !== null;

/** 'tue+thu', 'tue/thu', 'tue&thu' */
export function parseWeekdayList(text: string): number[] | null {
  const days = text.split(/[+&/]/).map(parseWeekday);
  return days.length > 1 && days.every((day) => day !== null) ? days : null;
}

export function parseDate(phrase: readonly string[], today: string): Match<DateExpression> | null {
  return (
    parseRelativeDate(phrase, today) ??
    parseNumericDate(phrase[0]) ??
    parseNamedDate(phrase) ??
    parseWeekdayOfMonth(phrase, today) ??
    parseWeekdayDate(phrase, today) ??
    parseDayAlone(phrase[0], today)
  );
}

/** 'today', 'tomorrow', 'the day after tomorrow', 'in 3 days', 'in a week', 'in two weeks' */
function parseRelativeDate(
  [first, second, third]: readonly string[],
  today: string,
): Match<DateExpression> | null {
  const inDays = (days: number, tokenCount: number): Match<DateExpression> => ({
    value: { kind: 'date', date: addDaysToDate(today, days) },
    tokenCount,
  });
  const days = RELATIVE_DAYS.get(first ?? '');
  if (days !== undefined) return inDays(days, 1);
  if (first === 'day' && second === 'after' && RELATIVE_DAYS.get(third ?? '') === 1)
    return inDays(2, 3);
  if (first !== 'in') return null;
  const count = second === 'a' ? 1 : parseNumber(second);
  if (count === null) return null;
  if (third === 'day' || third === 'days') return inDays(count, 3);
  return third === 'week' || third === 'weeks' ? inDays(count * 7, 3) : null;
}

/** The next date with this day of the month: 'the 19th'. */
function parseDayAlone(text = '', today: string): Match<DateExpression> | null {
  const day = /\d(st|nd|rd|th)$/.test(text) ? parseDayOfMonth(text) : null;
  if (day === null || day < 1 || day > 31) return null;
  let date = today;
  while (Number(date.slice(8)) !== day) date = addDaysToDate(date, 1);
  return { value: { kind: 'date', date }, tokenCount: 1 };
}

const ORDINALS = new Map([
  ...['first', '1st'].map((word) => [word, 0] as const),
  ...['second', '2nd'].map((word) => [word, 1] as const),
  ...['third', '3rd'].map((word) => [word, 2] as const),
  ...['fourth', '4th'].map((word) => [word, 3] as const),
  ['last', -1] as const,
]);

/** 'first Saturday', 'last Friday of November' */
function parseWeekdayOfMonth(
  [first = '', second, third, fourth]: readonly string[],
  today: string,
): Match<DateExpression> | null {
  const ordinal = ORDINALS.get(first);
  const weekday = parseWeekday(second);
  if (ordinal === undefined || weekday === null) return null;
  const month = third === 'of' || third === 'in' ? parseMonth(fourth) : null;
  // 'last Friday' alone may also mean the previous one.
  if (ordinal === -1 && month === null) return null;
  const firstMonth = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1;
  const dates = Array.from({ length: 14 }, (_, index) => firstMonth + index)
    .filter((index) => month === null || (index % 12) + 1 === month)
    .map((index) => weekdayInMonth(Math.floor(index / 12), (index % 12) + 1, weekday, ordinal));
  const date = dates.find((each) => each >= today);
  return date ? { value: { kind: 'date', date }, tokenCount: month === null ? 2 : 4 } : null;
}

function weekdayInMonth(year: number, month: number, weekday: number, ordinal: number): string {
  const lastSevenDaysStart = formatDate(year, month, daysInMonth(year, month) - 6);
  const from = ordinal === -1 ? lastSevenDaysStart : formatDate(year, month, 1 + ordinal * 7);
  return addDaysToDate(from, (weekday - weekdayOf(from) + 7) % 7);
}

/** The last day of the named month, for the end of a series: 'July', 'end of July', 'July 2027'. */
export function parseEndOfMonth(phrase: readonly string[], from: string): Match<string> | null {
  const words = phrase.map((word) => word.toLowerCase());
  const skipped = words[0] === 'the' ? 1 : 0;
  const hasPrefix = words[skipped] === 'end' && words[skipped + 1] === 'of';
  const at = hasPrefix ? skipped + 2 : 0;
  const month = parseMonth(words[at]);
  if (month === null) return null;
  const typedYear = parseYear(words[at + 1]);
  const thisYear = Number(from.slice(0, 4));
  const year = typedYear ? Number(typedYear) : thisYear;
  const date = formatDate(year, month, daysInMonth(year, month));
  const isPast = !typedYear && date < from;
  return {
    value: isPast ? formatDate(year + 1, month, daysInMonth(year + 1, month)) : date,
    tokenCount: at + (typedYear ? 2 : 1),
  };
}

/** 'Tue', 'this Tue', 'next Tue', 'Tue week', 'a week on Tue', 'Tue next week', 'next week Tue'. */
function parseWeekdayDate(phrase: readonly string[], today: string): Match<DateExpression> | null {
  const [first, second, third, fourth] = phrase;
  const inNextWeek = (weekday: number, tokenCount: number): Match<DateExpression> => ({
    value: { kind: 'weekday', weekday, nextWeek: true },
    tokenCount,
  });
  if (first === 'a' && second === 'week' && third === 'on') {
    const day = parseWeekday(fourth);
    return day === null ? null : { value: weekLater(day, today), tokenCount: 4 };
  }
  const leading = parseWeekday(first);
  if (leading !== null && second === 'week')
    return { value: weekLater(leading, today), tokenCount: 2 };
  if (leading !== null && second === 'next' && third === 'week') return inNextWeek(leading, 3);
  const trailing = first === 'next' && second === 'week' ? parseWeekday(third) : null;
  if (trailing !== null) return inNextWeek(trailing, 3);
  const nextWeek = first === 'next';
  const hasPrefix = nextWeek || first === 'this';
  const weekday = parseWeekday(hasPrefix ? second : first);
  if (weekday === null) return null;
  return { value: { kind: 'weekday', weekday, nextWeek }, tokenCount: hasPrefix ? 2 : 1 };
}

/** One week after the next such weekday: 'Tuesday week'. */
const weekLater = (weekday: number, today: string): DateExpression => ({
  kind: 'date',
  date: addDaysToDate(resolveDate({ kind: 'weekday', weekday, nextWeek: false }, today), 7),
});

/** The first matching date on or after `from`. */
export function resolveDate(expression: DateExpression, from: string): string {
  if (expression.kind === 'date') return expression.date;
  if (expression.kind === 'weekday') {
    const { weekday, nextWeek } = expression;
    if (nextWeek) return addDaysToDate(startOfWeek(from), 6 + weekday);
    return addDaysToDate(from, (weekday - weekdayOf(from) + 7) % 7);
  }
  return nextOccurrence(expression, from);
}

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** '3' or 'three'; null for anything else. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const index = NUMBER_WORDS.indexOf(text);
  return index === -1 ? null : index + 1;
}
