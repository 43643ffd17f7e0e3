import { addDaysToDate, daysInMonth, isDate } from './dates.ts';

/** A date as typed. Without a year, it is resolved to a calendar date later. */
export type CalendarDateExpression = { kind: 'date'; date: string } | DayAndMonth;

interface DayAndMonth {
  kind: 'day-and-month';
  day: number;
  month: number;
}

/** A value parsed from the start of a phrase, and the number of tokens used. */
export interface Match<Value> {
  value: Value;
  tokenCount: number;
}

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/**
 * A date typed into a field: '3/12', '3.12.26', '3 Dec', 'Dec 3, 2026', '2026-12-03', 'tomorrow'. The day comes before
 * the month. Without a year, it is the first one from `earliest`, or else the one closest to today. Null if it is not a
 * date.
 */
export function parseTypedDate(text: string, today: string, earliest?: string): string | null {
  const tokens = text.toLowerCase().replaceAll(',', ' ').trim().split(/\s+/);
  const [first = ''] = tokens;
  const relativeDays = RELATIVE_DAYS.get(first);
  if (tokens.length === 1 && relativeDays !== undefined) return addDaysToDate(today, relativeDays);
  const numeric = isDate(first) ? first : first.replace(/[.-]/g, '/');
  const match = parseNumericDate(numeric) ?? parseNamedDate(tokens);
  if (match?.tokenCount !== tokens.length) return null;
  if (match.value.kind === 'date') return match.value.date;
  if (earliest) return nextOccurrence(match.value, earliest);
  return nextOccurrence(match.value, addDaysToDate(today, -HALF_YEAR_DAYS));
}

// A map, because an object also has the property 'constructor'.
export const RELATIVE_DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tonight', 0],
  ...['tomorrow', 'tomorow', 'tommorow', 'tommorrow', 'tmrw', 'tmr', 'tmw', 'tomo', '2moro'].map(
    (word) => [word, 1] as const,
  ),
]);
const HALF_YEAR_DAYS = 183;

/** '3/12' (3 December), '3/12/26', '3.12.2026', '2026-12-03' */
export function parseNumericDate(text = ''): Match<CalendarDateExpression> | null {
  if (isDate(text)) return { value: { kind: 'date', date: text }, tokenCount: 1 };
  const parts =
    /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2}|\d{4}))?$/.exec(text) ??
    /^(\d{1,2})[.-](\d{1,2})[.-](\d{2}|\d{4})$/.exec(text);
  return parts && toCalendarDate(Number(parts[1]), Number(parts[2]), parts[3], 1);
}

/** '3 Dec', '3rd of December', 'Dec 3', each with or without a year. */
export function parseNamedDate(phrase: readonly string[]): Match<CalendarDateExpression> | null {
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

export function parseDayOfMonth(text = ''): number | null {
  const match = /^(\d{1,2})(st|nd|rd|th)?$/.exec(text);
  return match ? Number(match[1]) : null;
}

export function parseMonth(text = ''): number | null {
  const index = MONTHS.findIndex((name) => text.length >= 3 && name.startsWith(text));
  return index === -1 ? null : index + 1;
}

export const parseYear = (text = ''): string | undefined =>
  /^20\d{2}$/.test(text) ? text : undefined;

function toCalendarDate(
  day: number,
  month: number,
  year: string | undefined,
  tokenCount: number,
): Match<CalendarDateExpression> | null {
  if (year === undefined) {
    // 2024 is a leap year, so 29 February is accepted.
    const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(2024, month);
    return exists ? { value: { kind: 'day-and-month', day, month }, tokenCount } : null;
  }
  const date = formatDate(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  return isDate(date) ? { value: { kind: 'date', date }, tokenCount } : null;
}

/** The first date with this day and month on or after `from`. */
export function nextOccurrence({ day, month }: DayAndMonth, from: string): string {
  const firstYear = Number(from.slice(0, 4));
  // Up to eight years for 29 February, because a century year may not be a leap year.
  for (let year = firstYear; year <= firstYear + 8; year++) {
    const date = formatDate(year, month, day);
    if (isDate(date) && date >= from) return date;
  }
  return from;
}

export const formatDate = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
