import * as z from 'zod/mini';
import { addDaysToDate, addMonthsToDate } from './dates.ts';
import { defineEndpoints } from './endpoint.ts';
import { Overlap } from './errors.ts';
import { date, IdParams, requiredLine } from './schema-fields.ts';
import { DeleteReply } from './subjects.ts';

export const MAX_TERM_CALENDARS = 50;
export const MAX_TERMS = 60;

/** Both days are inclusive. */
export const Term = z.object({
  name: requiredLine('Name is required', 100),
  fromDate: date('First day is required'),
  toDate: date('Last day is required'),
});
export type Term = z.infer<typeof Term>;

/** Reports each problem at the field of its term. */
const termsInOrder = z.check<{ terms: Term[] }>(({ value: { terms }, issues }) => {
  const report = (index: number, field: keyof Term, message: string) =>
    issues.push({ code: 'custom', message, path: ['terms', index, field], input: terms });
  for (const [index, { fromDate, toDate }] of terms.entries()) {
    if (toDate < fromDate) report(index, 'toDate', "The last day can't be before the first day");
    const overlapping = terms
      .slice(0, index)
      .find((other) => other.fromDate <= toDate && other.toDate >= fromDate);
    if (overlapping) report(index, 'fromDate', `These dates overlap with ${overlapping.name}`);
  }
});

export const TermCalendarInput = z
  .object({
    name: requiredLine('Name is required', 100),
    terms: z
      .array(Term)
      .check(
        z.minLength(1, 'Please add a term'),
        z.maxLength(MAX_TERMS, `You can add up to ${MAX_TERMS} terms`),
      ),
  })
  .check(termsInOrder);
export type TermCalendarInput = z.infer<typeof TermCalendarInput>;

export const TermCalendar = z.object({
  id: z.number(),
  name: z.string(),
  /** Sorted by date. */
  terms: z.array(z.object({ name: z.string(), fromDate: z.string(), toDate: z.string() })),
  /** How many current series follow the calendar. */
  lessons: z.number(),
});
export type TermCalendar = z.infer<typeof TermCalendar>;

/** The effects of a change on the series that follow the calendar. Only upcoming sessions change. */
export const TermCalendarChange = z.object({
  calendar: TermCalendar,
  lessons: z.array(
    z.object({
      lessonId: z.number(),
      title: z.string(),
      startTime: z.string(),
      /** The dates of new sessions. */
      added: z.array(z.string()),
      /** The dates of sessions that no longer take place. */
      removed: z.array(z.string()),
      /** The dates of sessions outside the terms that are kept, because they were moved, edited or invoiced. */
      kept: z.array(z.string()),
    }),
  ),
  /** Other sessions that the new ones overlap; they are accepted. */
  overlaps: z.array(Overlap),
});
export type TermCalendarChange = z.infer<typeof TermCalendarChange>;

/** 52 weeks later, so that a term still starts on the same weekday. */
const SCHOOL_YEAR_DAYS = 364;

/** The terms of the last twelve months of a calendar, a year later. */
export function termsForNextYear(terms: readonly Term[]): Term[] {
  const sorted = terms.toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1));
  const last = sorted.at(-1);
  if (!last) return [];
  const yearStart = addMonthsToDate(last.toDate, -12);
  return sorted
    .filter(({ fromDate }) => fromDate > yearStart)
    .map(({ name, fromDate, toDate }) => ({
      name: nextYearInName(name),
      fromDate: addDaysToDate(fromDate, SCHOOL_YEAR_DAYS),
      toDate: addDaysToDate(toDate, SCHOOL_YEAR_DAYS),
    }));
}

/** "Autumn 2026" becomes "Autumn 2027", and "Autumn 2026/27" becomes "Autumn 2027/28". */
const nextYearInName = (name: string): string =>
  name.replace(/\b(20\d\d)(?:([/-])(\d\d))?(?!\d)/g, (_, year: string, separator, short) => {
    const next = String(Number(year) + 1);
    if (short === undefined) return next;
    return `${next}${separator}${String((Number(short) + 1) % 100).padStart(2, '0')}`;
  });

export const termCalendars = defineEndpoints({
  listTermCalendars: {
    method: 'GET',
    path: '/api/term-calendars',
    access: 'login',
    summary: 'Calendars of school terms, sorted by name',
    reply: z.array(TermCalendar),
  },
  createTermCalendar: {
    method: 'POST',
    path: '/api/term-calendars',
    access: 'login',
    summary: 'Add a calendar of school terms',
    body: TermCalendarInput,
    reply: TermCalendar,
    status: 201,
    idempotent: true,
  },
  previewTermCalendar: {
    method: 'POST',
    path: '/api/term-calendars/:id/preview',
    access: 'login',
    summary: 'Preview a change to the terms: the sessions that are added or removed',
    params: IdParams,
    body: TermCalendarInput,
    reply: TermCalendarChange,
  },
  updateTermCalendar: {
    method: 'PUT',
    path: '/api/term-calendars/:id',
    access: 'login',
    summary: 'Change the terms, and add or remove the sessions of series that follow them',
    params: IdParams,
    body: TermCalendarInput,
    reply: TermCalendarChange,
  },
  deleteTermCalendar: {
    method: 'DELETE',
    path: '/api/term-calendars/:id',
    access: 'login',
    summary: 'Delete a calendar that no current series follows',
    params: IdParams,
    reply: DeleteReply,
  },
});
