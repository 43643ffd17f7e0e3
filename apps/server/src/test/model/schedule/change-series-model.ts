import {
  firstAffectedDate,
  removeOrCancel,
  ruleAfterChange,
  sessionForOccurrence,
  unchangedReason,
} from './change-series-rule-model.ts';
import {
  applyToLesson,
  applyToSession,
  type ChangeInput,
  changedFields,
  changeSingleSession,
  hasChangedNotes,
  hasDifferentTime,
  hasSeatChanges,
  isGroup,
  type SavedLesson,
} from './change-single-session-model.ts';
import { endSeriesBefore } from './delete-lesson-model.ts';
import { repriceSession } from './prices-model.ts';
import {
  assertCurrentStudents,
  datesOutsideTerms,
  expectedSeats,
  getLesson,
  getSession,
  getTerms,
  isInTerm,
  type ModelLesson,
  type ModelSession,
  occurrenceDateOf,
  occurrencesBetween,
  RejectedError,
  requireAcceptance,
  type ScheduleState,
  sessionsInLesson,
  summarizeChange,
} from './schedule-model.ts';
import {
  addSessions,
  cancelDuringPauses,
  cancelDuringTimeOff,
  detachFromTimeOff,
  isCancelledByPauses,
  restoreSeatsAfterMove,
} from './time-off-and-pauses-model.ts';

/* How the dialog changes a lesson and its sessions for the scopes "only this", "this and following" and "all". */

export function changeLesson(state: ScheduleState, input: ChangeInput): SavedLesson {
  const lesson = getLesson(state, input.lessonId);
  const chosen = getSession(state, input.sessionId);
  if (chosen.lessonId !== lesson.id) throw new RejectedError(404);
  const { formValues } = input;
  const fields = changedFields(state, lesson, chosen, formValues);
  if (isGroup(lesson, chosen) && hasSeatChanges(fields)) throw new RejectedError(409);
  const { studentId } = fields;
  if (studentId !== undefined) assertCurrentStudents(state, [studentId]);
  const isOneOff = !lesson.repeats && !formValues.repeats;
  if (isOneOff || (lesson.repeats && input.scope === 'this')) {
    return changeSingleSession(state, lesson, chosen, input);
  }
  return changeSeries(state, lesson, chosen, input);
}

function changeSeries(
  state: ScheduleState,
  lesson: ModelLesson,
  chosen: ModelSession,
  input: ChangeInput,
): SavedLesson {
  const { formValues, scope } = input;
  const rows = sessionsInLesson(state, lesson.id);
  const from = firstAffectedDate(state, rows, chosen, scope);
  const before = rows.filter((row) => occurrenceDateOf(row) < from);
  const rule = ruleAfterChange(state, lesson, chosen, from, formValues);
  const oldDates = lesson.repeats
    ? occurrencesBetween(lesson.pattern, lesson.anchor, from, lesson.generatedUntil)
    : [from];
  const termCalendarId =
    formValues.repeats && formValues.termCalendarId !== undefined
      ? formValues.termCalendarId
      : lesson.termCalendarId;
  const newTerms = getTerms(state, termCalendarId);
  const oldTerms = getTerms(state, lesson.termCalendarId);
  const isOutsideSeries =
    chosen.status === 'scheduled' && !oldDates.includes(occurrenceDateOf(chosen));

  const isSplit = scope === 'following' && before.length > 0;
  const fields = changedFields(state, lesson, chosen, formValues);
  const notesChanged = hasChangedNotes(lesson, chosen, formValues);
  const timeChanged = chosen.start !== formValues.start || chosen.end !== formValues.end;
  const changed: ModelLesson = {
    ...structuredClone(lesson),
    ...(notesChanged ? { notes: formValues.notes } : {}),
    ...(timeChanged ? { start: formValues.start, end: formValues.end } : {}),
    repeats: true,
    pattern: rule.pattern,
    anchor: rule.anchor,
    endDate: rule.endDate,
    generatedUntil: rule.generatedUntil,
    termCalendarId,
  };
  applyToLesson(changed, fields);
  if (isSplit) {
    endSeriesBefore(lesson, from);
    changed.id = ++state.ids.lesson;
    changed.continuesLessonId = lesson.id;
    changed.date = rule.dates[0] ?? formValues.date;
    state.lessons.push(changed);
  } else if (before.length === 0) {
    changed.date = rule.dates[0] ?? changed.date;
  }

  // If the day or pattern changes, all occurrence dates change.
  const datesChanged = rule.anchor !== lesson.anchor || rule.pattern !== lesson.pattern;
  const hasNewStudent = changed.roster[0]?.studentId !== lesson.roster[0]?.studentId;
  /** Sessions whose date or time changes. */
  const moved: ModelSession[] = [];
  /** Sessions affected by the change, and the occurrences that they fill. */
  const affected: ModelSession[] = [];
  const takenDates = new Set<string>();
  const changedDates: string[] = [];
  const unchanged: string[] = [];
  const removed: ModelSession[] = [];
  /** New dates for occurrences that had no session because their old dates were outside the terms. */
  const datesInTerm: string[] = [];
  const occurrenceRows = oldDates.map((date) => sessionForOccurrence(rows, date, chosen));
  for (const [index, row] of occurrenceRows.entries()) {
    const ruleDate = rule.dates[index];
    if (!row) {
      const wasOutside = !isInTerm(oldTerms, oldDates[index] as string);
      if (wasOutside && ruleDate !== undefined) datesInTerm.push(ruleDate);
      continue;
    }
    const isChosen = row === chosen && row.status === 'scheduled';
    // The chosen session also takes place outside the terms.
    const newDate =
      ruleDate !== undefined && (isChosen || isInTerm(newTerms, ruleDate)) ? ruleDate : undefined;
    const reason = isChosen ? null : unchangedReason(row, input.includeEdited);
    if (reason !== null) {
      unchanged.push(reason);
      if (datesChanged) row.seriesDate = null;
      // The series no longer has an occurrence for this session, or the time is now another student's.
      if (newDate === undefined || (hasNewStudent && isCancelledByPauses(row)))
        detachFromTimeOff(row);
    } else if (newDate === undefined) {
      removed.push(row);
    } else {
      changedDates.push(newDate);
      affected.push(row);
      takenDates.add(newDate);
      const { start, end } = row === chosen ? formValues : changed;
      // If the chosen session had already been moved out of the series, it stays out of it.
      const date = row === chosen && row.seriesDate === null ? formValues.date : newDate;
      if (hasDifferentTime(row, { date, start, end })) moved.push(row);
      const update: Partial<ModelSession> = { date, start, end, originalDate: newDate };
      Object.assign(row, update, { lessonId: changed.id });
      applyToSession(row, fields, 'lesson');
      if (row.seriesDate !== null) row.seriesDate = newDate;
    }
  }
  if (isOutsideSeries) {
    const { date, start, end } = formValues;
    changedDates.push(date);
    if (hasDifferentTime(chosen, formValues)) moved.push(chosen);
    Object.assign(chosen, { date, start, end, lessonId: changed.id });
    applyToSession(chosen, fields, 'lesson');
  }
  // Another session of the series may have several students, whose fees are changed one by one.
  const changedRows = isOutsideSeries ? [...affected, chosen] : affected;
  const seatsOf = (row: ModelSession) => ('studentId' in fields ? row.seats : expectedSeats(row));
  if (hasSeatChanges(fields) && changedRows.some((row) => seatsOf(row).length > 1))
    throw new RejectedError(409);
  if (notesChanged && chosen.status === 'scheduled') chosen.notes = null;
  const rest = rows.filter((row) => !before.includes(row));
  vacateOccurrences(isSplit ? rest : rows, takenDates, affected);
  // Unchanged sessions after the split also move to the new lesson, so that the old lesson ends.
  if (isSplit) for (const row of rest) row.lessonId = changed.id;
  for (const row of removed) removeOrCancel(state, row);
  if (!isSplit) Object.assign(lesson, changed);
  for (const row of changedRows) repriceSession(state, row);
  // A series that is moved into time off skips it, but the tutor may deliberately move the chosen session there.
  for (const row of moved) {
    restoreSeatsAfterMove(state, row);
    if (row !== chosen) cancelDuringTimeOff(state, row);
  }
  if (fields.studentId !== undefined) {
    const others = affected.filter((row) => row !== chosen && row.status === 'scheduled');
    for (const row of others) cancelDuringPauses(state, row, fields.studentId);
  }
  // When a series is extended, occurrences that already have a session are not filled again.
  const filled = new Set(sessionsInLesson(state, changed.id).map((row) => row.seriesDate));
  const newDates = [...datesInTerm, ...rule.dates.slice(oldDates.length)].filter(
    (date) => !filled.has(date),
  );
  const created = addSessions(state, changed, newDates);
  const overlaps = requireAcceptance(
    state,
    [...moved, ...created].map((row) => row.id),
    input.accept,
  );
  const past = scope === 'all' ? before.filter((row) => row.status !== 'rescheduled') : [];
  const pastReasons = past.map((row) => (row.status === 'scheduled' ? 'past' : row.status));
  return {
    lessonId: changed.id,
    sessionId: chosen.id,
    consequences: summarizeChange({
      changed: changedDates.length,
      created: created.length,
      removed: removed.length,
      unchanged: [...pastReasons, ...unchanged],
      dates: [...changedDates, ...created.map((row) => row.date)],
      overlaps,
      outsideTerms: datesOutsideTerms(newTerms, rule.dates),
    }),
  };
}

/** Unaffected sessions keep their date, but give up an occurrence that the moved series now fills. */
function vacateOccurrences(
  rows: ModelSession[],
  takenDates: ReadonlySet<string>,
  affected: readonly ModelSession[],
): void {
  const others = rows.filter(
    (row) => !affected.includes(row) && row.seriesDate && takenDates.has(row.seriesDate),
  );
  for (const row of others) row.seriesDate = null;
}
