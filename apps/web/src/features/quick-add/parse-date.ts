import {
  addDaysToDate,
  daysInMonth,
  isDate,
  startOfWeek,
  weekday as weekdayOf,
} from '@lessonbook/contract/dates';
import { parseNumber } from './tokenize.ts';

/** A date as typed. It is resolved to a calendar date later. */
export type DateExpression =
  | { kind: 'date'; date: string }
  | { kind: 'weekday'; weekday: number; nextWeek: boolean }
  | { kind: 'day-and-month'; day: number; month: number };

/** A value parsed from the start of a phrase, and the number of tokens used. */
export interface Match<Value> {
  value: Value;
  tokenCount: number;
}

const WEEKDAYS = [
  ['mon', 'monday', 'mondays'],
  ['tue', 'tues', 'tuesday', 'tuesdays'],
  ['wed', 'weds', 'wednesday', 'wednesdays'],
  ['thu', 'thur', 'thurs', 'thursday', 'thursdays'],
  ['fri', 'friday', 'fridays'],
  ['sat', 'saturday', 'saturdays'],
  ['sun', 'sunday', 'sundays'],
];
const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** Monday is 1; null for any other word. */
export function parseWeekday(text: string | undefined): number | null {
  const index = WEEKDAYS.findIndex((names) => text !== undefined && names.includes(text));
  return index === -1 ? null : index + 1;
}

/** 'tue+thu', 'tue/thu', 'tue&thu'. Recognised so that the extra days can be reported: a lesson has only one day. */
export function parseWeekdayList(text: string): string[] | null {
  const parts = text.split(/[+&/]/);
  return parts.length > 1 && parts.every((part) => parseWeekday(part) !== null) ? parts : null;
}

export function parseDate(phrase: readonly string[], today: string): Match<DateExpression> | null {
  return (
    parseRelativeDate(phrase, today) ??
    parseNumericDate(phrase[0]) ??
    parseNamedDate(phrase) ??
    parseWeekdayDate(phrase)
  );
}

/** 'today', 'tomorrow', 'in 3 days', 'in a week', 'in two weeks' */
function parseRelativeDate(
  [first, second, third]: readonly string[],
  today: string,
): Match<DateExpression> | null {
  const inDays = (days: number, tokenCount: number): Match<DateExpression> => ({
    value: { kind: 'date', date: addDaysToDate(today, days) },
    tokenCount,
  });
  if (first === 'today' || first === 'tonight') return inDays(0, 1);
  if (first === 'tomorrow') return inDays(1, 1);
  if (first !== 'in') return null;
  const count = second === 'a' ? 1 : parseNumber(second);
  if (count === null) return null;
  if (third === 'day' || third === 'days') return inDays(count, 3);
  return third === 'week' || third === 'weeks' ? inDays(count * 7, 3) : null;
}

/** '3/12' (3 December), '3/12/26', '3/12/2026', '2026-12-03' */
function parseNumericDate(text = ''): Match<DateExpression> | null {
  if (isDate(text)) return { value: { kind: 'date', date: text }, tokenCount: 1 };
  const parts = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2}|\d{4}))?$/.exec(text);
  return parts && toCalendarDate(Number(parts[1]), Number(parts[2]), parts[3], 1);
}

/** '3 Dec', '3rd of December', 'Dec 3', each with or without a year. */
function parseNamedDate(phrase: readonly string[]): Match<DateExpression> | null {
  const [first, second] = phrase;
  const leadingDay = parseDayOfMonth(first);
  if (leadingDay !== null) {
    const at = second === 'of' ? 2 : 1;
    const month = parseMonth(phrase[at]);
    const year = parseYear(phrase[at + 1]);
    return month === null ? null : toCalendarDate(leadingDay, month, year, at + (year ? 2 : 1));
  }
  const month = parseMonth(first);
  const day = parseDayOfMonth(second);
  const year = parseYear(phrase[2]);
  return month === null || day === null ? null : toCalendarDate(day, month, year, year ? 3 : 2);
}

function parseDayOfMonth(text = ''): number | null {
  const match = /^(\d{1,2})(st|nd|rd|th)?$/.exec(text);
  return match ? Number(match[1]) : null;
}

function parseMonth(text = ''): number | null {
  const index = MONTHS.findIndex((name) => text.length >= 3 && name.startsWith(text));
  return index === -1 ? null : index + 1;
}

const parseYear = (text = ''): string | undefined => (/^20\d{2}$/.test(text) ? text : undefined);

function toCalendarDate(
  day: number,
  month: number,
  year: string | undefined,
  tokenCount: number,
): Match<DateExpression> | null {
  if (year === undefined) {
    // 2024 is a leap year, so 29 February is accepted.
    const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(2024, month);
    return exists ? { value: { kind: 'day-and-month', day, month }, tokenCount } : null;
  }
  const date = formatDate(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  return isDate(date) ? { value: { kind: 'date', date }, tokenCount } : null;
}

/** 'Tue', 'this Tue', 'next Tue'. */
function parseWeekdayDate([first, second]: readonly string[]): Match<DateExpression> | null {
  const nextWeek = first === 'next';
  const hasPrefix = nextWeek || first === 'this';
  const weekday = parseWeekday(hasPrefix ? second : first);
  if (weekday === null) return null;
  return { value: { kind: 'weekday', weekday, nextWeek }, tokenCount: hasPrefix ? 2 : 1 };
}

/** The first matching date on or after `from`. */
export function resolveDate(expression: DateExpression, from: string): string {
  if (expression.kind === 'date') return expression.date;
  if (expression.kind === 'weekday') {
    const { weekday, nextWeek } = expression;
    if (nextWeek) return addDaysToDate(startOfWeek(from), 6 + weekday);
    return addDaysToDate(from, (weekday - weekdayOf(from) + 7) % 7);
  }
  const firstYear = Number(from.slice(0, 4));
  // Up to eight years for 29 February, because a century year may not be a leap year.
  for (let year = firstYear; year <= firstYear + 8; year++) {
    const date = formatDate(year, expression.month, expression.day);
    if (isDate(date) && date >= from) return date;
  }
  return from;
}

const formatDate = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
