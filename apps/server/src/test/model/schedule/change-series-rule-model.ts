import { daysAfter, monthsAfter, type RecurrencePattern } from '../time-zones/zone-oracle.ts';
import type { ChangeInput, LessonFormValues } from './change-single-session-model.ts';
import {
  hasEnded,
  lastGeneratedDate,
  type ModelLesson,
  type ModelSession,
  occurrenceDateOf,
  occurrencesBetween,
  type ScheduleState,
} from './schedule-model.ts';
import { cancelWithoutFee } from './time-off-and-pauses-model.ts';

/* The recurrence rule after a change, and the sessions that the change affects. */

interface Rule {
  pattern: RecurrencePattern;
  anchor: string;
  endDate: string | null;
  generatedUntil: string;
  dates: string[];
}

export function ruleAfterChange(
  state: ScheduleState,
  lesson: ModelLesson,
  chosen: ModelSession,
  from: string,
  formValues: LessonFormValues,
): Rule {
  const { pattern } = formValues;
  const isSamePattern = lesson.repeats && lesson.pattern === pattern;
  const chosenDate = occurrenceDateOf(chosen);
  const hasSameDates = isSamePattern && formValues.date === chosen.date;
  const anchor = hasSameDates
    ? lesson.anchor
    : isSamePattern && pattern === 'monthly'
      ? monthsAfter(formValues.date, monthNumber(from) - monthNumber(chosenDate))
      : daysAfter(formValues.date, daysBetween(chosenDate, from));
  const first = hasSameDates ? from : anchor;
  // If "repeats" is unticked, the series ends with the session for which it was unticked.
  const endDate = formValues.repeats
    ? formValues.endDate
    : chosenDate > from
      ? formValues.date
      : first;
  const generatedUntil = lastGeneratedDate(state, endDate);
  return {
    pattern,
    anchor,
    endDate,
    generatedUntil,
    dates: occurrencesBetween(pattern, anchor, first, generatedUntil),
  };
}

const monthNumber = (date: string): number =>
  Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The first occurrence affected by a change. Past sessions are not affected unless the tutor chose one of them. */
export function firstAffectedDate(
  state: ScheduleState,
  rows: ModelSession[],
  chosen: ModelSession,
  scope: ChangeInput['scope'],
): string {
  const chosenDate = occurrenceDateOf(chosen);
  if (scope !== 'all') return chosenDate;
  const upcoming = rows.filter((row) => row.status === 'scheduled' && !hasEnded(state, row));
  const firstUpcoming =
    earliestOccurrence(upcoming.filter((row) => row.seriesDate !== null)) ?? chosenDate;
  return chosen.status === 'scheduled' && chosenDate < firstUpcoming ? chosenDate : firstUpcoming;
}

const earliestOccurrence = (rows: ModelSession[]): string | undefined =>
  rows.map(occurrenceDateOf).toSorted()[0];

/** The session for an occurrence: the chosen session, the one in the series, or the last one moved out of it. */
export function sessionForOccurrence(
  rows: ModelSession[],
  date: string,
  chosen: ModelSession,
): ModelSession | undefined {
  const candidates = rows.filter((row) => occurrenceDateOf(row) === date);
  if (chosen.status === 'scheduled' && candidates.includes(chosen)) return chosen;
  return (
    candidates.find((row) => row.seriesDate !== null) ??
    candidates.toSorted((a, b) => b.id - a.id)[0]
  );
}

export function unchangedReason(row: ModelSession, includeEdited: boolean): string | null {
  if (row.status === 'completed' || row.status === 'cancelled') return row.status;
  if (row.status === 'rescheduled' || row.seriesDate === null) return 'moved';
  return row.edited && !includeEdited ? 'edited' : null;
}

/** A session after the end of the series is removed, or cancelled if it has charges or was ever moved. */
export function removeOrCancel(state: ScheduleState, row: ModelSession): void {
  const wasMoved =
    row.movedFrom !== null || state.sessions.some((other) => other.movedFrom === row.id);
  const hasHistory = row.charges.length > 0 || wasMoved;
  if (hasHistory) {
    cancelWithoutFee(row);
    row.seriesDate = null;
  } else {
    state.sessions = state.sessions.filter((session) => session !== row);
  }
}
