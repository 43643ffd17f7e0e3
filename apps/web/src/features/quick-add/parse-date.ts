import { addDaysToDate, startOfWeek, weekday as weekdayOf } from '@lessonbook/contract/dates';
import {
  type CalendarDateExpression,
  type Match,
  nextOccurrence,
  parseNamedDate,
  parseNumericDate,
} from '../../lib/parse-date.ts';
import { parseNumber } from './tokenize.ts';

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
  return nextOccurrence(expression, from);
}
