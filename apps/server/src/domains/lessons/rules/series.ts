import { dayNumber, plusDays, plusMonths } from '@lessonbook/contract/dates';
import type { Scope } from '@lessonbook/contract/lessons';
import { occurrences, type Pattern } from '@lessonbook/contract/recurrence';
import type { SessionStatus } from '@lessonbook/contract/sessions';

const HORIZON_MONTHS = 12;

/** The date up to which sessions are generated. */
export const horizonOf = (today: string): string => plusMonths(today, HORIZON_MONTHS);

/** The last date with generated sessions: the end of the series or the horizon, whichever is earlier. */
export const lastGeneratedDate = (endDate: string | null, horizon: string): string =>
  endDate !== null && endDate < horizon ? endDate : horizon;

/** Ends a series the day before the given date, but never later than it already ends. */
export function endSeriesBefore<T extends { endDate: string | null; generatedUntil: string }>(
  lesson: T,
  date: string,
): T {
  const last = plusDays(date, -1);
  return {
    ...lesson,
    endDate: lesson.endDate !== null && lesson.endDate < last ? lesson.endDate : last,
    generatedUntil: lesson.generatedUntil < last ? lesson.generatedUntil : last,
  };
}

export interface SeriesRow {
  id: number;
  /** The date of the series that this session fills; null for a session detached from the series. */
  seriesDate: string | null;
  /** The date of the series that the session had originally. */
  occurrenceDate: string;
  date: string;
  status: SessionStatus;
  isOverride: boolean;
  /** Invoiced in advance. */
  hasCharge?: boolean;
  endsAt: Date;
}

export type UnchangedReason = 'completed' | 'cancelled' | 'invoiced' | 'moved' | 'edited' | 'past';

export interface SeriesPlan {
  /** Rows that get a date of the new series (the same one when only fields change). */
  moves: { id: number; seriesDate: string }[];
  /** Dates beyond the old series. */
  appended: string[];
  /** Rows without a date in the new series. */
  removals: number[];
  /** Rows left unchanged, why, and whether the new series has a date for them. */
  unchanged: { id: number; reason: UnchangedReason; hasSeriesDate: boolean }[];
  /** The chosen session has no date in the old series, so it is changed separately. */
  chosenIsDetached: boolean;
}

/** Why a change of the series leaves this row unchanged; null if it may be changed. */
export function unchangedReason(row: SeriesRow, includeEdited: boolean): UnchangedReason | null {
  if (row.status === 'completed') return 'completed';
  if (row.status === 'cancelled') return 'cancelled';
  if (row.status === 'rescheduled' || row.seriesDate === null) return 'moved';
  if (row.hasCharge) return 'invoiced';
  return row.isOverride && !includeEdited ? 'edited' : null;
}

/**
 * Maps the old dates to the new dates by index: the third session of the old series becomes the third of the new one.
 * A date whose session is left unchanged (completed, cancelled, moved, edited) or was deleted is not filled again, so
 * such a session does not reappear on another day.
 */
export function planSeries(input: {
  oldDates: readonly string[];
  newDates: readonly string[];
  rows: readonly SeriesRow[];
  /** The session the tutor opened. It is changed even if it was edited or moved before. */
  chosenId: number;
  includeEdited: boolean;
}): SeriesPlan {
  // A rescheduled session and its replacement share an occurrence date. The original takes precedence.
  const originalsLast = input.rows.toSorted(
    (a, b) => Number(a.seriesDate !== null) - Number(b.seriesDate !== null),
  );
  const byOccurrence = new Map(originalsLast.map((row) => [occurrenceDateOf(row), row]));
  const chosen = input.rows.find((row) => row.id === input.chosenId && row.status === 'scheduled');
  if (chosen) byOccurrence.set(occurrenceDateOf(chosen), chosen);
  const plan: SeriesPlan = {
    moves: [],
    appended: input.newDates.slice(input.oldDates.length),
    removals: [],
    unchanged: [],
    chosenIsDetached: chosen !== undefined && !input.oldDates.includes(occurrenceDateOf(chosen)),
  };
  input.oldDates.forEach((oldDate, index) => {
    const row = byOccurrence.get(oldDate);
    if (!row) return;
    const reason = row === chosen ? null : unchangedReason(row, input.includeEdited);
    const seriesDate = input.newDates[index];
    if (reason)
      plan.unchanged.push({ id: row.id, reason, hasSeriesDate: seriesDate !== undefined });
    else if (seriesDate) plan.moves.push({ id: row.id, seriesDate });
    else plan.removals.push(row.id);
  });
  return plan;
}

/** The date of the series that a session belongs to, also after it was rescheduled. */
export const occurrenceDateOf = (row: {
  seriesDate: string | null;
  occurrenceDate: string;
}): string => row.seriesDate ?? row.occurrenceDate;

/**
 * The first date of the series that a change affects: for "following" that of the chosen session, for "all" that of the
 * first session that has not ended. Past sessions never change.
 */
export function firstAffectedDate(input: {
  rows: readonly SeriesRow[];
  chosen: SeriesRow;
  scope: Scope;
  now: Date;
}): string {
  const chosen = occurrenceDateOf(input.chosen);
  if (input.scope !== 'all') return chosen;
  const upcoming = input.rows
    .filter(
      (row) => row.status === 'scheduled' && row.seriesDate !== null && row.endsAt > input.now,
    )
    .map(occurrenceDateOf)
    .toSorted();
  const [first = chosen] = upcoming;
  return input.chosen.status === 'scheduled' && chosen < first ? chosen : first;
}

interface SeriesRule {
  pattern: Pattern;
  recurrenceStart: string;
  endDate: string | null;
  generatedUntil: string;
  dates: string[];
}

/** The rule of the series after the change, and its dates from the pivot (the first affected date) on. */
export function nextSeriesRule(input: {
  lesson: {
    isRecurring: boolean;
    pattern: Pattern;
    recurrenceStart: string;
    endDate: string | null;
    firstDate: string;
  };
  chosen: SeriesRow;
  pivot: string;
  requested: {
    date: string;
    isRecurring: boolean;
    recurringPattern: Pattern;
    recurringEndDate?: string | null | undefined;
  };
  horizon: string;
}): SeriesRule {
  const { lesson, chosen, pivot, requested, horizon } = input;
  const pattern = requested.recurringPattern;
  const moved = requested.date !== chosen.date;
  const samePattern = lesson.isRecurring && pattern === lesson.pattern;
  const recurrenceStart =
    samePattern && !moved
      ? lesson.recurrenceStart
      : shiftRecurrenceStart(lesson, chosen, pivot, requested.date, pattern);
  const from = samePattern && !moved ? pivot : recurrenceStart;
  // If the lesson no longer repeats, the series ends with the chosen session.
  const lastDate = occurrenceDateOf(chosen) > pivot ? requested.date : from;
  const endDate = requested.isRecurring ? (requested.recurringEndDate ?? null) : lastDate;
  const generatedUntil = lastGeneratedDate(endDate, horizon);
  return {
    pattern,
    recurrenceStart,
    endDate,
    generatedUntil,
    dates: occurrencesBetween(pattern, recurrenceStart, from, generatedUntil),
  };
}

/** The start with which the chosen session falls on its new date. */
function shiftRecurrenceStart(
  lesson: { isRecurring: boolean; pattern: Pattern },
  chosen: SeriesRow,
  pivot: string,
  newDate: string,
  pattern: Pattern,
): string {
  const oldDate = occurrenceDateOf(chosen);
  const bothMonthly = lesson.isRecurring && lesson.pattern === 'monthly' && pattern === 'monthly';
  if (bothMonthly) return plusMonths(newDate, monthsBetween(oldDate, pivot));
  return plusDays(newDate, dayNumber(pivot) - dayNumber(oldDate));
}

function monthsBetween(from: string, to: string): number {
  const months = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  return months(to) - months(from);
}

/** The dates of a series between two dates, both included. */
export function occurrencesBetween(
  pattern: Pattern,
  recurrenceStart: string,
  from: string,
  to: string,
): string[] {
  return occurrences(pattern, recurrenceStart, to).filter((date) => date >= from);
}
