import { endBefore } from './delete-model.ts';
import {
  addSessions,
  cancelWithoutFee,
  coversSession,
  lessonOf,
  type MLesson,
  type MSession,
  occurrenceDateOf,
  occurrencesBetween,
  Rejected,
  requireAcceptance,
  type ScheduleState,
  sessionOf,
  sessionsOfLesson,
  summarizeChange,
} from './schedule-model.ts';
import {
  firstAffectedDate,
  newRule,
  rowForOccurrence,
  unchangedReason,
} from './series-rule-model.ts';
import {
  type Change,
  changedFields,
  changeSingleSession,
  hasChangedNotes,
  hasDifferentTime,
  type Saved,
} from './single-session-model.ts';

/* How the dialog changes a lesson and its sessions for the scopes "only this", "this and following" and "all". */

export function change(state: ScheduleState, input: Change): Saved {
  const lesson = lessonOf(state, input.lessonId);
  const chosen = sessionOf(state, input.sessionId);
  if (chosen.lessonId !== lesson.id) throw new Rejected(404);
  const { dialog } = input;
  const single = !lesson.repeats && !dialog.repeats;
  if (single || (lesson.repeats && input.scope === 'this')) {
    return changeSingleSession(state, lesson, chosen, input);
  }
  return changeSeries(state, lesson, chosen, input);
}

function changeSeries(
  state: ScheduleState,
  lesson: MLesson,
  chosen: MSession,
  input: Change,
): Saved {
  const { dialog, scope } = input;
  const rows = sessionsOfLesson(state, lesson.id);
  const from = firstAffectedDate(state, rows, chosen, scope);
  const before = rows.filter((row) => occurrenceDateOf(row) < from);
  const rule = newRule(state, lesson, chosen, from, dialog);
  const oldDates = lesson.repeats
    ? occurrencesBetween(lesson.pattern, lesson.anchor, from, lesson.generatedUntil)
    : [from];
  const outsideSeries =
    chosen.status === 'scheduled' && !oldDates.includes(occurrenceDateOf(chosen));

  const splits = scope === 'following' && before.length > 0;
  const fields = changedFields(chosen, dialog);
  const notesChanged = hasChangedNotes(lesson, chosen, dialog);
  const timeChanged = chosen.start !== dialog.start || chosen.end !== dialog.end;
  const changed: MLesson = {
    ...lesson,
    ...fields,
    ...(notesChanged ? { notes: dialog.notes } : {}),
    ...(timeChanged ? { start: dialog.start, end: dialog.end } : {}),
    repeats: true,
    pattern: rule.pattern,
    anchor: rule.anchor,
    endDate: rule.endDate,
    generatedUntil: rule.generatedUntil,
  };
  if (splits) {
    endBefore(lesson, from);
    changed.id = ++state.ids.lesson;
    changed.continues = lesson.id;
    changed.date = rule.dates[0] ?? dialog.date;
    state.lessons.push(changed);
  } else if (before.length === 0) {
    changed.date = rule.dates[0] ?? changed.date;
  }

  // If the day or pattern changes, all occurrence dates change.
  const datesChanged = rule.anchor !== lesson.anchor || rule.pattern !== lesson.pattern;
  /** Sessions whose date or time changes. */
  const moved: MSession[] = [];
  /** Sessions affected by the change, and the occurrences that they fill. */
  const affected: MSession[] = [];
  const takenDates = new Set<string>();
  const changedDates: string[] = [];
  const unchanged: string[] = [];
  const removed: MSession[] = [];
  const occurrenceRows = oldDates.map((date) => rowForOccurrence(rows, date, chosen));
  for (const [index, row] of occurrenceRows.entries()) {
    if (!row) continue;
    const newDate = rule.dates[index];
    const reason =
      row === chosen && row.status === 'scheduled'
        ? null
        : unchangedReason(row, input.includeEdited);
    if (reason !== null) {
      unchanged.push(reason);
      leaveUnchanged(row, newDate, datesChanged);
    } else if (newDate === undefined) {
      removed.push(row);
    } else {
      changedDates.push(newDate);
      affected.push(row);
      takenDates.add(newDate);
      const { start, end } = row === chosen ? dialog : changed;
      // If the chosen session had already been moved out of the series, it stays outside it.
      const date = row === chosen && row.seriesDate === null ? dialog.date : newDate;
      if (hasDifferentTime(row, { date, start, end })) moved.push(row);
      const update: Partial<MSession> = { date, start, end, originalDate: newDate };
      Object.assign(row, update, { lessonId: changed.id }, fields);
      if (row.seriesDate !== null) row.seriesDate = newDate;
    }
  }
  if (outsideSeries) {
    const { date, start, end } = dialog;
    changedDates.push(date);
    if (hasDifferentTime(chosen, dialog)) moved.push(chosen);
    Object.assign(chosen, { date, start, end, lessonId: changed.id, ...fields });
  }
  if (notesChanged && chosen.status === 'scheduled') chosen.notes = null;
  const rest = rows.filter((row) => !before.includes(row));
  vacateOccurrences(splits ? rest : rows, takenDates, affected);
  // Unchanged sessions after the split also move to the new lesson, so that the old lesson ends.
  if (splits) for (const row of rest) row.lessonId = changed.id;
  for (const row of removed) removeOrCancel(state, row);
  if (!splits) Object.assign(lesson, changed);
  // A series skips time off even when it is moved into it, but the tutor may deliberately move the chosen session there.
  for (const row of moved.filter((each) => each !== chosen)) {
    const off = state.timeOff.find((each) => coversSession(each, row));
    if (off) cancelWithoutFee(row, off.id);
  }
  // When a series is extended, occurrences that already have a session are not filled again.
  const filled = new Set(sessionsOfLesson(state, changed.id).map((row) => row.seriesDate));
  const newDates = rule.dates.slice(oldDates.length).filter((date) => !filled.has(date));
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
    }),
  };
}

/** Unaffected sessions keep their date, but give up an occurrence that the moved series now fills. */
function vacateOccurrences(
  rows: MSession[],
  takenDates: ReadonlySet<string>,
  affected: readonly MSession[],
): void {
  const others = rows.filter(
    (row) => !affected.includes(row) && row.seriesDate && takenDates.has(row.seriesDate),
  );
  for (const row of others) row.seriesDate = null;
}

/** The session keeps its date. If the occurrence dates change, it gives up its occurrence, which stays empty. */
function leaveUnchanged(row: MSession, newDate: string | undefined, datesChanged: boolean): void {
  if (datesChanged) row.seriesDate = null;
  // The series no longer has an occurrence for this session, so deleting time off must not restore it.
  if (newDate === undefined && row.timeOffId !== null) row.timeOffId = null;
}

/** A session after the end of the series is removed, or cancelled if it has charges or has been moved. */
function removeOrCancel(state: ScheduleState, row: MSession): void {
  const hasHistory = row.charges.length > 0 || row.movedFrom !== null;
  if (hasHistory) {
    cancelWithoutFee(row);
    row.seriesDate = null;
  } else {
    state.sessions = state.sessions.filter((session) => session !== row);
  }
}
