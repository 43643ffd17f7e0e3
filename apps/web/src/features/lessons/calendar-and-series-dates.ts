import {
  addDaysToDate,
  addMonthsToDate,
  daysInMonth,
  startOfWeek,
  weekday,
} from '@lessonbook/contract/dates';
import {
  occurrenceAt,
  occurrences,
  type RecurrencePattern,
  weekOfMonth,
} from '@lessonbook/contract/recurrence';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { Term } from '@lessonbook/contract/term-calendars';
import type { TimeOff } from '@lessonbook/contract/time-off';
import { formatShortDate, weekdayName } from '../../lib/format.ts';
import { type TimeSlot, timeOffDuring } from './time-off-in-calendar.ts';

export const firstOfMonth = (date: string): string => `${date.slice(0, 8)}01`;

export const isSameMonth = (a: string, b: string): boolean => a.slice(0, 7) === b.slice(0, 7);

/** The days of a month grid: whole weeks from Monday, including days of the adjacent months. */
export function monthDays(date: string): string[] {
  const first = firstOfMonth(date);
  const length = daysInMonth(Number(date.slice(0, 4)), Number(date.slice(5, 7)));
  const weeks = Math.ceil((weekday(first) - 1 + length) / 7);
  return daysFrom(startOfWeek(first), weeks * 7);
}

export const weekDays = (date: string): string[] => daysFrom(startOfWeek(date), 7);

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, day) => addDaysToDate(first, day));

/** The first day of the previous or next month, or today if it is in that month. */
export function stepMonth(date: string, step: number, today: string): string {
  const first = addMonthsToDate(firstOfMonth(date), step);
  return isSameMonth(first, today) ? today : first;
}

export type SessionsByDay = ReadonlyMap<string, readonly SessionRow[]>;

/** Groups sessions by date, with each day sorted by start time. */
export function groupByDay(sessions: readonly SessionRow[]): SessionsByDay {
  const days = new Map<string, SessionRow[]>();
  for (const session of sessions) {
    const day = days.get(session.date);
    if (day) day.push(session);
    else days.set(session.date, [session]);
  }
  for (const day of days.values()) {
    day.sort((a, b) => a.startTime.localeCompare(b.startTime) || a.id - b.id);
  }
  return days;
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** 'the second Tuesday', 'the last Sunday' */
export const weekdayOfMonth = (pattern: RecurrencePattern, date: string): string =>
  `the ${
    (pattern === 'monthly_weekday' && ORDINALS[weekOfMonth(date) - 1]) || 'last'
  } ${weekdayName(date)}`;

const MAX_PREVIEW_DATES = 3;

interface RecurrenceValues {
  date: string;
  recurringPattern: RecurrencePattern;
  /** Empty if the series has no end. */
  recurringEndDate: string;
}

/** 'Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, … until Tue 15 Dec' */
export function formatRecurrencePreview(
  values: RecurrenceValues,
  today: string,
  terms: readonly TermDates[] | null = null,
): string {
  const { date, recurringPattern, recurringEndDate: end } = values;
  const dates: string[] = [];
  // Collects one more date than is shown, to find out whether there are others.
  for (let step = 1; dates.length <= MAX_PREVIEW_DATES; step++) {
    const next = occurrenceAt(recurringPattern, date, step);
    if ((end !== '' && next > end) || (terms && next > lastTermDay(terms))) break;
    if (next >= today && isInTerm(terms, next)) dates.push(next);
  }
  const [first] = dates;
  if (!first && terms) return 'No later date is in term time.';
  if (!first) return "This lesson won't repeat: the end date is before the next date.";
  const shown = dates
    .slice(0, MAX_PREVIEW_DATES)
    .map((next) => formatShortDate(next, today))
    .join(', ');
  if (end === '' && !terms) return `Next: ${shown}, with no end date`;
  if (dates.length <= MAX_PREVIEW_DATES) return `Next: ${shown}`;
  if (end === '') return `Next: ${shown}, …`;
  return `Next: ${shown}, … until ${formatShortDate(end, today)}`;
}

type TermDates = Pick<Term, 'fromDate' | 'toDate'>;

const isInTerm = (terms: readonly TermDates[] | null, date: string): boolean =>
  terms === null || terms.some(({ fromDate, toDate }) => fromDate <= date && date <= toDate);

export const lastTermDay = (terms: readonly TermDates[]): string =>
  terms
    .map(({ toDate }) => toDate)
    .toSorted()
    .at(-1) ?? '';

/** The dates of a series that fall between terms, from today. */
export function datesOutsideTerms(
  { date, recurringPattern, recurringEndDate }: RecurrenceValues,
  terms: readonly TermDates[],
  today: string,
): string[] {
  const lastDay = lastTermDay(terms);
  const until = recurringEndDate !== '' && recurringEndDate < lastDay ? recurringEndDate : lastDay;
  return occurrences(recurringPattern, date, until).filter(
    (occurrence) => occurrence >= today && !isInTerm(terms, occurrence),
  );
}

/** The server generates this many months of a series. */
const GENERATED_MONTHS = 12;

/** The dates of a new series on which the tutor has time off, from today. */
export function skippedDates(
  values: RecurrenceValues & TimeSlot,
  timeOff: readonly TimeOff[],
  today: string,
): string[] {
  if (timeOff.length === 0) return [];
  const horizon = addMonthsToDate(today, GENERATED_MONTHS);
  const end = values.recurringEndDate;
  const until = end !== '' && end < horizon ? end : horizon;
  return occurrences(values.recurringPattern, values.date, until).filter(
    (date) => date >= today && timeOffDuring(timeOff, { ...values, date }).length > 0,
  );
}
