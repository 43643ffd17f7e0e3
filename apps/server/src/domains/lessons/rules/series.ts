import { dayNumber, plusDays, plusMonths } from '@lessonbook/contract/dates';
import type { Scope } from '@lessonbook/contract/lessons';
import { occurrences, type Pattern } from '@lessonbook/contract/recurrence';
import type { SessionStatus } from '@lessonbook/contract/sessions';

const HORIZON_MONTHS = 12;

/** Sessions exist as rows up to this day. */
export const horizonOf = (today: string): string => plusMonths(today, HORIZON_MONTHS);

/** The last day for which a lesson has rows: its end, or the horizon if it goes on beyond. */
export const lastGeneratedDate = (endDate: string | null, horizon: string): string =>
  endDate !== null && endDate < horizon ? endDate : horizon;

/** Never later than it ended already. */
export function endSeriesBefore<T extends { endDate: string | null; materialisedTo: string }>(
  lesson: T,
  place: string,
): T {
  const ends = plusDays(place, -1);
  return {
    ...lesson,
    endDate: lesson.endDate !== null && lesson.endDate < ends ? lesson.endDate : ends,
    materialisedTo: lesson.materialisedTo < ends ? lesson.materialisedTo : ends,
  };
}

/** What a series needs to know of one of its sessions. */
export interface SeriesRow {
  id: number;
  slot: string | null;
  occurrenceDate: string;
  date: string;
  status: SessionStatus;
  edited: boolean;
  /** Invoiced before it was taught. */
  hasCharge?: boolean;
  endsAt: Date;
}

export type UnchangedReason = 'completed' | 'cancelled' | 'invoiced' | 'moved' | 'edited' | 'past';

export interface SeriesPlan {
  /** Rows that take another place in the series (or the same one, when only fields change). */
  moves: { id: number; slot: string }[];
  /** Dates beyond the old series. */
  appended: string[];
  /** Rows for which the new series has no place. */
  removals: number[];
  /** Rows that stay as they are, why, and whether the new series still has a place for them. */
  unchanged: { id: number; reason: UnchangedReason; hasPlace: boolean }[];
  /** The chosen session stands beside the series, which had left it behind: it is changed by itself. */
  chosenIsDetached: boolean;
}

/** Why a change of the series leaves this row alone; null when it may be changed. */
export function unchangedReason(row: SeriesRow, includeEdited: boolean): UnchangedReason | null {
  if (row.status === 'completed') return 'completed';
  if (row.status === 'cancelled') return 'cancelled';
  if (row.status === 'rescheduled' || row.slot === null) return 'moved';
  if (row.hasCharge) return 'invoiced';
  return row.edited && !includeEdited ? 'edited' : null;
}

/**
 * Lays the new dates over the old ones, place by place: the third session of the old series becomes the third of the new.
 * A place whose session stays as it is (taught, cancelled, moved, edited) is not filled again, nor is one that was empty;
 * so nothing that was settled ever comes back on another day.
 */
export function planSeries(input: {
  oldDates: readonly string[];
  newDates: readonly string[];
  rows: readonly SeriesRow[];
  /** The session the tutor started from: it is changed whatever its history. */
  chosenId: number;
  includeEdited: boolean;
}): SeriesPlan {
  // A moved session and its replacement share a place: the one that left it speaks for it.
  const inOrder = input.rows.toSorted((a, b) => Number(a.slot !== null) - Number(b.slot !== null));
  const byOccurrence = new Map(inOrder.map((row) => [occurrenceDateOf(row), row]));
  const chosen = input.rows.find((row) => row.id === input.chosenId && row.status === 'scheduled');
  if (chosen) byOccurrence.set(occurrenceDateOf(chosen), chosen);
  const plan: SeriesPlan = {
    moves: [],
    appended: input.newDates.slice(input.oldDates.length),
    removals: [],
    unchanged: [],
    chosenIsDetached: chosen !== undefined && !input.oldDates.includes(occurrenceDateOf(chosen)),
  };
  input.oldDates.forEach((oldDate, place) => {
    const row = byOccurrence.get(oldDate);
    if (!row) return;
    const reason = row === chosen ? null : unchangedReason(row, input.includeEdited);
    const slot = input.newDates[place];
    if (reason) plan.unchanged.push({ id: row.id, reason, hasPlace: slot !== undefined });
    else if (slot) plan.moves.push({ id: row.id, slot });
    else plan.removals.push(row.id);
  });
  return plan;
}

/** The place in the series that a session came from, also after it was moved. */
export const occurrenceDateOf = (row: { slot: string | null; occurrenceDate: string }): string =>
  row.slot ?? row.occurrenceDate;

/**
 * The first place that a change touches: for "following" that of the chosen session, for "all" the first session that has
 * not ended, since what is past is past.
 */
export function firstAffectedDate(input: {
  rows: readonly SeriesRow[];
  chosen: SeriesRow;
  scope: Scope;
  now: Date;
}): string {
  const chosen = occurrenceDateOf(input.chosen);
  if (input.scope !== 'all') return chosen;
  const coming = input.rows
    .filter((row) => row.status === 'scheduled' && row.slot !== null && row.endsAt > input.now)
    .map(occurrenceDateOf)
    .toSorted();
  const [first = chosen] = coming;
  return input.chosen.status === 'scheduled' && chosen < first ? chosen : first;
}

interface SeriesRule {
  pattern: Pattern;
  anchor: string;
  endDate: string | null;
  materialisedTo: string;
  dates: string[];
}

/** The rule and the dates of the series after the change, from the pivot on. */
export function nextSeriesRule(input: {
  lesson: {
    isRecurring: boolean;
    pattern: Pattern;
    anchorDate: string;
    endDate: string | null;
    firstDate: string;
  };
  chosen: SeriesRow;
  pivot: string;
  input: {
    date: string;
    isRecurring: boolean;
    recurringPattern: Pattern;
    recurringEndDate?: string | null | undefined;
  };
  horizon: string;
}): SeriesRule {
  const { lesson, chosen, pivot, horizon } = input;
  const requested = input.input;
  const pattern = requested.recurringPattern;
  const moved = requested.date !== chosen.date;
  const samePattern = lesson.isRecurring && pattern === lesson.pattern;
  const anchor =
    samePattern && !moved
      ? lesson.anchorDate
      : shiftAnchor(lesson, chosen, pivot, requested.date, pattern);
  const from = samePattern && !moved ? pivot : anchor;
  // Unticking the repeat ends the series with the session it was unticked on.
  const lastOne = occurrenceDateOf(chosen) > pivot ? requested.date : from;
  const endDate = requested.isRecurring ? (requested.recurringEndDate ?? null) : lastOne;
  const materialisedTo = lastGeneratedDate(endDate, horizon);
  return {
    pattern,
    anchor,
    endDate,
    materialisedTo,
    dates: occurrencesBetween(pattern, anchor, from, materialisedTo),
  };
}

/** Where the changed series counts from, so that the chosen session falls on its new date. */
function shiftAnchor(
  lesson: { isRecurring: boolean; pattern: Pattern },
  chosen: SeriesRow,
  pivot: string,
  newDate: string,
  pattern: Pattern,
): string {
  const place = occurrenceDateOf(chosen);
  const bothMonthly = lesson.isRecurring && lesson.pattern === 'monthly' && pattern === 'monthly';
  if (bothMonthly) return plusMonths(newDate, monthsBetween(place, pivot));
  return plusDays(newDate, dayNumber(pivot) - dayNumber(place));
}

function monthsBetween(from: string, to: string): number {
  const months = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  return months(to) - months(from);
}

/** The places of a series between two days, both included. */
export function occurrencesBetween(
  pattern: Pattern,
  anchor: string,
  from: string,
  to: string,
): string[] {
  return occurrences(pattern, anchor, to).filter((date) => date >= from);
}
