import { addDaysToDate, addMonthsToDate, dayNumber } from '@lessonbook/contract/dates';
import type { Scope } from '@lessonbook/contract/lessons';
import {
  fitPattern,
  isMonthly,
  occurrenceAt,
  occurrences,
  type RecurrencePattern,
} from '@lessonbook/contract/recurrence';
import type { SessionStatus } from '@lessonbook/contract/sessions';
import { isInTerm, type Terms } from './terms.ts';

const HORIZON_MONTHS = 12;

/** The date up to which sessions are generated. */
export const horizonOf = (today: string): string => addMonthsToDate(today, HORIZON_MONTHS);

/** The date up to which a series is generated: its end date or the horizon, whichever is earlier. */
export const lastGeneratedDate = (endDate: string | null, horizon: string): string =>
  endDate !== null && endDate < horizon ? endDate : horizon;

/** Ends a series on the day before the given date, or keeps its end date if that is earlier. */
export function endSeriesBefore<T extends { endDate: string | null; generatedUntil: string }>(
  lesson: T,
  date: string,
): T {
  const last = addDaysToDate(date, -1);
  return {
    ...lesson,
    endDate: lesson.endDate !== null && lesson.endDate < last ? lesson.endDate : last,
    generatedUntil: lesson.generatedUntil < last ? lesson.generatedUntil : last,
  };
}

export interface SeriesRow {
  id: number;
  /** The series date that this session fills; null for a session detached from the series. */
  seriesDate: string | null;
  /** The series date for which the session was originally generated. */
  occurrenceDate: string;
  date: string;
  status: SessionStatus;
  isOverride: boolean;
  /** Whether the session was invoiced in advance. The fee of a cancelled seat does not count. */
  hasCharge?: boolean;
  endsAt: Date;
}

export type UnchangedReason = 'completed' | 'cancelled' | 'invoiced' | 'moved' | 'edited' | 'past';

export interface SeriesPlan {
  /** Rows with a date in the new series (the same date if only fields change). */
  moves: { id: number; seriesDate: string }[];
  /** Dates that the new series has in addition to the old ones. */
  appended: string[];
  /** Rows without a date in the new series. */
  removals: number[];
  /** Rows left unchanged, the reason, and whether the new series has a date for them. */
  unchanged: { id: number; reason: UnchangedReason; hasSeriesDate: boolean }[];
  /** True if the chosen session has no date in the old series. It is then changed separately. */
  chosenIsDetached: boolean;
}

/** Why a change to the series leaves this row unchanged; null if the row may change. */
export function unchangedReason(row: SeriesRow, includeEdited: boolean): UnchangedReason | null {
  if (row.status === 'completed') return 'completed';
  if (row.status === 'cancelled') return 'cancelled';
  if (row.status === 'rescheduled' || row.seriesDate === null) return 'moved';
  if (row.hasCharge) return 'invoiced';
  return row.isOverride && !includeEdited ? 'edited' : null;
}

/**
 * Maps old dates to new dates by index: the third session of the old series becomes the third session of the new one.
 * If the session on an old date is left unchanged (completed, cancelled, moved, edited) or was deleted, the matching new
 * date gets no session, so the session does not reappear on another day. An old date outside the school terms had no session;
 * the matching new date gets one if it is in a term.
 */
export function planSeries(input: {
  oldDates: readonly string[];
  newDates: readonly string[];
  rows: readonly SeriesRow[];
  /** The session that the tutor opened. It changes even if it was edited or moved before. */
  chosenId: number;
  includeEdited: boolean;
  /** The school terms before and after the change. */
  oldTerms?: Terms;
  newTerms?: Terms;
}): SeriesPlan {
  const { oldTerms = null, newTerms = null } = input;
  // A rescheduled session and its replacement share an occurrence date. The original takes precedence.
  const originalsLast = input.rows.toSorted(
    (a, b) => Number(a.seriesDate !== null) - Number(b.seriesDate !== null),
  );
  const byOccurrence = new Map(originalsLast.map((row) => [occurrenceDateOf(row), row]));
  const chosen = input.rows.find((row) => row.id === input.chosenId && row.status === 'scheduled');
  if (chosen) byOccurrence.set(occurrenceDateOf(chosen), chosen);
  const plan: SeriesPlan = {
    moves: [],
    appended: input.newDates
      .slice(input.oldDates.length)
      .filter((date) => isInTerm(newTerms, date)),
    removals: [],
    unchanged: [],
    chosenIsDetached: chosen !== undefined && !input.oldDates.includes(occurrenceDateOf(chosen)),
  };
  input.oldDates.forEach((oldDate, index) => {
    const row = byOccurrence.get(oldDate);
    const newDate = input.newDates[index];
    // The chosen session takes place even if its new date is outside the terms.
    const seriesDate =
      newDate !== undefined && (row === chosen || isInTerm(newTerms, newDate))
        ? newDate
        : undefined;
    if (!row) {
      if (seriesDate && !isInTerm(oldTerms, oldDate)) plan.appended.push(seriesDate);
      return;
    }
    const reason = row === chosen ? null : unchangedReason(row, input.includeEdited);
    if (reason)
      plan.unchanged.push({ id: row.id, reason, hasSeriesDate: seriesDate !== undefined });
    else if (seriesDate) plan.moves.push({ id: row.id, seriesDate });
    else plan.removals.push(row.id);
  });
  // Sorted because time off is read for the range from the first date to the last.
  plan.appended.sort();
  return plan;
}

/** For "all", the summary also counts sessions before the first affected date. */
export function unchangedBefore(
  before: readonly SeriesRow[],
  scope: Scope,
): { id: number; reason: UnchangedReason }[] {
  if (scope !== 'all') return [];
  return before
    .filter((row) => row.status !== 'rescheduled')
    .map(({ id, status }) => ({
      id,
      reason: status === 'completed' || status === 'cancelled' ? status : 'past',
    }));
}

/** The series date that a session belongs to, even after it has been rescheduled. */
export const occurrenceDateOf = (row: {
  seriesDate: string | null;
  occurrenceDate: string;
}): string => row.seriesDate ?? row.occurrenceDate;

/**
 * The first series date that a change affects. For "following" it is the date of the chosen session; for "all" it is the
 * date of the first scheduled session that has not ended, or of the chosen session if that is scheduled and earlier.
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
  pattern: RecurrencePattern;
  recurrenceStart: string;
  endDate: string | null;
  generatedUntil: string;
  dates: string[];
}

/** The recurrence rule after the change, and the series dates from the pivot (the first affected date) onwards. */
export function nextSeriesRule(input: {
  lesson: {
    isRecurring: boolean;
    pattern: RecurrencePattern;
    recurrenceStart: string;
    endDate: string | null;
    firstDate: string;
  };
  chosen: SeriesRow;
  pivot: string;
  requested: {
    date: string;
    isRecurring: boolean;
    recurringPattern: RecurrencePattern;
    recurringEndDate?: string | null | undefined;
  };
  horizon: string;
}): SeriesRule {
  const { lesson, chosen, pivot, requested, horizon } = input;
  const hasDateChanged = requested.date !== chosen.date;
  const pattern = hasDateChanged
    ? fitPattern(requested.recurringPattern, requested.date)
    : requested.recurringPattern;
  const isSamePattern = lesson.isRecurring && pattern === lesson.pattern;
  const recurrenceStart =
    isSamePattern && !hasDateChanged
      ? lesson.recurrenceStart
      : shiftRecurrenceStart(lesson, chosen, pivot, requested.date, pattern);
  const from = isSamePattern && !hasDateChanged ? pivot : recurrenceStart;
  // If the lesson is no longer recurring, the series ends with the chosen session.
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

interface TimesOfDay {
  startTime: string;
  endTime: string;
}

/** Uses the requested times only if they differ from the chosen session's, which may have times of its own. */
export function resolveSeriesTimes(
  lesson: TimesOfDay,
  chosen: TimesOfDay,
  requested: TimesOfDay,
): TimesOfDay {
  const changed = requested.startTime !== chosen.startTime || requested.endTime !== chosen.endTime;
  const { startTime, endTime } = changed ? requested : lesson;
  return { startTime, endTime };
}

/** Shifts the recurrence start so that the chosen session falls on its new date. */
function shiftRecurrenceStart(
  lesson: { isRecurring: boolean; pattern: RecurrencePattern },
  chosen: SeriesRow,
  pivot: string,
  newDate: string,
  pattern: RecurrencePattern,
): string {
  const oldDate = occurrenceDateOf(chosen);
  const areBothMonthly = lesson.isRecurring && isMonthly(lesson.pattern) && isMonthly(pattern);
  if (areBothMonthly) return occurrenceAt(pattern, newDate, monthsBetween(oldDate, pivot));
  return addDaysToDate(newDate, dayNumber(pivot) - dayNumber(oldDate));
}

function monthsBetween(from: string, to: string): number {
  const months = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  return months(to) - months(from);
}

/** The dates of a series between two dates, inclusive. */
export function occurrencesBetween(
  pattern: RecurrencePattern,
  recurrenceStart: string,
  from: string,
  to: string,
): string[] {
  return occurrences(pattern, recurrenceStart, to).filter((date) => date >= from);
}
