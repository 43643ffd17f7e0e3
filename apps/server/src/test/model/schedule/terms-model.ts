import { removeOrCancel, unchangedReason } from './change-series-rule-model.ts';
import {
  hasEnded,
  isInTerm,
  type ModelLesson,
  type ModelTerm,
  type OverlapPair,
  occurrencesBetween,
  RejectedError,
  requireAcceptance,
  type ScheduleState,
  sessionsInLesson,
} from './schedule-model.ts';
import { addSessions } from './time-off-and-pauses-model.ts';

/* Calendars of school terms, and the sessions of series that follow them. */

export interface TermsChange {
  /** Only lessons whose sessions change. The dates are in chronological order. */
  lessons: { lessonId: number; added: string[]; removed: string[]; kept: string[] }[];
  overlaps: OverlapPair[];
}

export function createCalendar(state: ScheduleState, terms: ModelTerm[]): number {
  const id = ++state.ids.calendar;
  state.calendars.push({ id, terms });
  return id;
}

/** Adds sessions on dates that are now within a term and removes those that no longer are. Past dates do not change. */
export function changeCalendar(state: ScheduleState, id: number, terms: ModelTerm[]): TermsChange {
  const calendar = state.calendars.find((each) => each.id === id);
  if (!calendar) throw new RejectedError(404);
  const oldTerms = calendar.terms;
  calendar.terms = terms;
  const change: TermsChange = { lessons: [], overlaps: [] };
  const following = state.lessons.filter(
    (lesson) => lesson.termCalendarId === id && lesson.repeats && !lesson.deleted,
  );
  for (const lesson of following) {
    const { overlaps, ...dates } = changeTermsOfSeries(state, lesson, oldTerms, terms);
    change.overlaps.push(...overlaps);
    if (Object.values(dates).flat().length > 0)
      change.lessons.push({ lessonId: lesson.id, ...dates });
  }
  return change;
}

function changeTermsOfSeries(
  state: ScheduleState,
  lesson: ModelLesson,
  oldTerms: ModelTerm[],
  newTerms: ModelTerm[],
) {
  const enters = (date: string) => !isInTerm(oldTerms, date) && isInTerm(newTerms, date);
  const leaves = (date: string) => isInTerm(oldTerms, date) && !isInTerm(newTerms, date);
  const rows = sessionsInLesson(state, lesson.id);
  const filled = new Set(rows.map((row) => row.seriesDate));
  const { pattern, anchor, generatedUntil, start } = lesson;
  const newDates = occurrencesBetween(pattern, anchor, state.today, generatedUntil).filter(
    (date) => enters(date) && !filled.has(date) && `${date} ${start}` > state.now,
  );
  const leaving = rows.filter(
    (row) =>
      row.status === 'scheduled' &&
      !hasEnded(state, row) &&
      row.seriesDate !== null &&
      leaves(row.seriesDate),
  );
  const [removed, kept] = [true, false].map((isRemoved) =>
    leaving.filter((row) => (unchangedReason(row, false) === null) === isRemoved),
  ) as [typeof rows, typeof rows];
  for (const row of removed) removeOrCancel(state, row);
  const created = addSessions(state, lesson, newDates);
  const ids = created.map((row) => row.id);
  const toDates = (sessions: typeof rows) => sessions.map((row) => row.date).toSorted();
  return {
    added: toDates(created),
    removed: toDates(removed),
    kept: toDates(kept),
    overlaps: requireAcceptance(state, ids, true),
  };
}

/** A calendar that a current series follows cannot be deleted. */
export function deleteCalendar(state: ScheduleState, id: number): void {
  if (!state.calendars.some((calendar) => calendar.id === id)) throw new RejectedError(404);
  if (countCurrentLessons(state, id) > 0) throw new RejectedError(409);
  state.calendars = state.calendars.filter((calendar) => calendar.id !== id);
  for (const lesson of state.lessons)
    if (lesson.termCalendarId === id) lesson.termCalendarId = null;
}

export const countCurrentLessons = (state: ScheduleState, calendarId: number): number =>
  state.lessons.filter(
    ({ termCalendarId, deleted, endDate }) =>
      termCalendarId === calendarId && !deleted && (endDate === null || endDate >= state.today),
  ).length;
