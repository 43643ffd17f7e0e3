import { daysAfter, monthsAfter, type Repeat } from '../time-zones/zone-oracle.ts';
import {
  addSessions,
  assertScheduled,
  cancelWithoutFee,
  coversSession,
  dayBefore,
  type Fields,
  generatedUntilOf,
  hasEnded,
  lessonOf,
  type MConsequences,
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

/* "Only this", "this and following", "all": what the dialog does to a lesson and its sessions. */

export interface Dialog extends Fields {
  date: string;
  start: string;
  end: string;
  notes: string | null;
  repeats: boolean;
  pattern: Repeat;
  endDate: string | null;
}

export interface Change {
  lessonId: number;
  sessionId: number;
  scope: 'this' | 'following' | 'all';
  dialog: Dialog;
  includeEdited: boolean;
  accept: boolean;
}

export interface Saved {
  lessonId: number;
  sessionId: number | null;
  consequences: MConsequences;
}

const FIELDS = ['title', 'studentId', 'subjectId', 'fee', 'currency', 'place'] as const;

/** Only what the tutor changed in the dialog travels on. */
function changedFields(session: MSession, dialog: Dialog): Partial<Fields> {
  return Object.fromEntries(
    FIELDS.filter((key) => session[key] !== dialog[key]).map((key) => [key, dialog[key]]),
  );
}

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

function changeSingleSession(
  state: ScheduleState,
  lesson: MLesson,
  chosen: MSession,
  input: Change,
): Saved {
  const { dialog } = input;
  assertScheduled(chosen);
  const fields = changedFields(chosen, dialog);
  const notesChanged = ((chosen.notes ?? lesson.notes) || null) !== dialog.notes;
  const edited = notesChanged || Object.keys(fields).length > 0;
  Object.assign(chosen, fields);
  // Its own may also be none, kept as an empty text: cleared for this one only.
  if (notesChanged) chosen.notes = dialog.notes ?? '';
  if (edited && lesson.repeats) chosen.edited = true;
  const moves = hasDifferentTime(chosen, dialog);
  const moved = moves ? move(state, chosen, dialog, input.accept) : null;
  if (!lesson.repeats) {
    Object.assign(lesson, fields);
    if (notesChanged) lesson.notes = dialog.notes;
    rescheduleOneTimeLesson(lesson, dialog);
  }
  return {
    lessonId: lesson.id,
    sessionId: moved?.session.id ?? chosen.id,
    consequences: summarizeChange({
      changed: edited || moves ? 1 : 0,
      dates: [dialog.date],
      overlaps: moved?.overlaps ?? [],
    }),
  };
}

interface LocalSlot {
  date: string;
  start: string;
  end: string;
}

export const hasDifferentTime = (session: MSession, to: LocalSlot): boolean =>
  session.date !== to.date || session.start !== to.start || session.end !== to.end;

/** A one-time lesson is where its session is. */
export function rescheduleOneTimeLesson(lesson: MLesson, { date, start, end }: LocalSlot): void {
  Object.assign(lesson, { date, start, end, anchor: date, through: date });
}

/** The old one says where it went, the new one where it came from. The place in the series is not filled again. */
export function move(state: ScheduleState, session: MSession, to: LocalSlot, accept: boolean) {
  const moved: MSession = {
    ...structuredClone(session),
    id: ++state.ids.session,
    slot: null,
    date: to.date,
    start: to.start,
    end: to.end,
    movedFrom: session.id,
    movedTo: null,
    charges: [],
  };
  state.sessions.push(moved);
  session.status = 'rescheduled';
  session.movedTo = moved.id;
  return { session: moved, overlaps: requireAcceptance(state, [moved.id], accept) };
}

/** From which place on a change counts. What is past is past, unless the tutor began there. */
function firstAffectedDate(
  state: ScheduleState,
  rows: MSession[],
  chosen: MSession,
  scope: Change['scope'],
): string {
  const own = occurrenceDateOf(chosen);
  if (scope !== 'all') return own;
  const coming = rows.filter((row) => row.status === 'scheduled' && !hasEnded(state, row));
  const inPlace = earliest(coming.filter((row) => row.slot !== null)) ?? own;
  const first = chosen.status === 'scheduled' && own < inPlace ? own : inPlace;
  return first;
}

const earliest = (rows: MSession[]): string | undefined => rows.map(occurrenceDateOf).toSorted()[0];

interface Rule {
  pattern: Repeat;
  anchor: string;
  endDate: string | null;
  through: string;
  dates: string[];
}

function newRule(
  state: ScheduleState,
  lesson: MLesson,
  chosen: MSession,
  from: string,
  dialog: Dialog,
): Rule {
  const { pattern } = dialog;
  const samePattern = lesson.repeats && lesson.pattern === pattern;
  const own = occurrenceDateOf(chosen);
  const stays = samePattern && dialog.date === chosen.date;
  const anchor = stays
    ? lesson.anchor
    : samePattern && pattern === 'monthly'
      ? monthsAfter(dialog.date, months(from) - months(own))
      : daysAfter(dialog.date, daysBetween(own, from));
  const first = stays ? from : anchor;
  // Unticked, the series ends with the session it was unticked on.
  const endDate = dialog.repeats ? dialog.endDate : own > from ? dialog.date : first;
  const through = generatedUntilOf(state, endDate);
  return {
    pattern,
    anchor,
    endDate,
    through,
    dates: occurrencesBetween(pattern, anchor, first, through),
  };
}

const months = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Who speaks for a place: the chosen session, the one that fills it, or the newest that left it. */
function rowForOccurrence(rows: MSession[], place: string, chosen: MSession): MSession | undefined {
  const there = rows.filter((row) => occurrenceDateOf(row) === place);
  if (chosen.status === 'scheduled' && there.includes(chosen)) return chosen;
  return there.find((row) => row.slot !== null) ?? there.toSorted((a, b) => b.id - a.id)[0];
}

function unchangedReason(row: MSession, includeEdited: boolean): string | null {
  if (row.status === 'completed' || row.status === 'cancelled') return row.status;
  if (row.status === 'rescheduled' || row.slot === null) return 'moved';
  return row.edited && !includeEdited ? 'edited' : null;
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
  const place = oldDates.indexOf(occurrenceDateOf(chosen));
  const beside = chosen.status === 'scheduled' && place === -1;

  const splits = scope === 'following' && before.length > 0;
  const fields = changedFields(chosen, dialog);
  const notesChanged = ((chosen.notes ?? lesson.notes) || null) !== dialog.notes;
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
    generatedUntil: rule.through,
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

  const { anchor: anchorBefore, pattern: patternBefore } = lesson;
  // Another day or another rhythm: the places are not what they were.
  const recounted = rule.anchor !== anchorBefore || rule.pattern !== patternBefore;
  const moved: MSession[] = [];
  const moves: string[] = [];
  /** Rows that go to another place, or to the same one anew, and those places. */
  const movers: MSession[] = [];
  const taken = new Set<string>();
  const stays: string[] = [];
  const removed: MSession[] = [];
  const speakers = oldDates.map((oldPlace) => rowForOccurrence(rows, oldPlace, chosen));
  speakers.forEach((row, index) => {
    if (!row) return;
    const newPlace = rule.dates[index];
    const reason =
      row === chosen && row.status === 'scheduled'
        ? null
        : unchangedReason(row, input.includeEdited);
    if (reason !== null) {
      stays.push(reason);
      leaveUnchanged(row, newPlace, recounted);
    } else if (newPlace === undefined) {
      removed.push(row);
    } else {
      moves.push(newPlace);
      movers.push(row);
      taken.add(newPlace);
      const { start, end } = row === chosen ? dialog : changed;
      // If the chosen session had left its place before, it stays beside the series.
      const date = row === chosen && row.slot === null ? dialog.date : newPlace;
      if (hasDifferentTime(row, { date, start, end })) moved.push(row);
      Object.assign(row, { date, start, end, origin: newPlace, lessonId: changed.id, ...fields });
      if (row.slot !== null) row.slot = newPlace;
    }
  });
  if (beside) {
    const { date, start, end } = dialog;
    moves.push(date);
    if (hasDifferentTime(chosen, dialog)) moved.push(chosen);
    Object.assign(chosen, { date, start, end, lessonId: changed.id, ...fields });
  }
  if (notesChanged && chosen.status === 'scheduled') {
    chosen.notes = null;
  }
  vacateOccurrences(splits ? rows.filter((row) => !before.includes(row)) : rows, taken, movers);
  // What stays at a place from there on goes along, so that the old lesson has truly ended.
  if (splits) {
    for (const row of rows.filter((one) => !before.includes(one))) row.lessonId = changed.id;
  }
  for (const row of removed) removeOrCancel(state, row);
  if (!splits) Object.assign(lesson, changed);
  // A series skips time off, also when it is moved into it; the chosen session is put there on purpose.
  for (const row of moved.filter((one) => one !== chosen)) {
    const off = state.timeOff.find((one) => coversSession(one, row));
    if (off) cancelWithoutFee(row, off.id);
  }
  // A longer series fills no place that has been settled.
  const settled = new Set(sessionsOfLesson(state, changed.id).map((row) => row.slot));
  const beyond = rule.dates.slice(oldDates.length);
  const free = beyond.filter((date) => !settled.has(date));
  const created = addSessions(state, changed, free);
  const overlaps = requireAcceptance(
    state,
    [...moved, ...created].map((row) => row.id),
    input.accept,
  );
  const past = scope === 'all' ? before.filter((row) => row.status !== 'rescheduled') : [];
  return {
    lessonId: changed.id,
    sessionId: chosen.id,
    consequences: summarizeChange({
      changed: moves.length,
      created: created.length,
      removed: removed.length,
      stays: [...past.map((row) => (row.status === 'scheduled' ? 'past' : row.status)), ...stays],
      dates: [...moves, ...created.map((row) => row.date)],
      overlaps,
    }),
  };
}

/** Rows that are no part of the change keep their day, but not a place that the moved series now fills. */
function vacateOccurrences(
  rows: MSession[],
  taken: ReadonlySet<string>,
  movers: readonly MSession[],
): void {
  const others = rows.filter((row) => !movers.includes(row) && row.slot && taken.has(row.slot));
  for (const row of others) row.slot = null;
}

/** Never later than it ended already. */
function endBefore(lesson: MLesson, place: string): void {
  const ends = dayBefore(place);
  if (lesson.endDate === null || lesson.endDate > ends) lesson.endDate = ends;
  if (lesson.generatedUntil > ends) lesson.generatedUntil = ends;
}

/** It keeps its day; when the series is counted anew it leaves its place, which stays empty. */
function leaveUnchanged(row: MSession, newPlace: string | undefined, recounted: boolean): void {
  if (recounted) row.slot = null;
  // The series has no place for it any more, so the end of a holiday does not bring it back.
  if (newPlace === undefined && row.timeOffId !== null) {
    row.timeOffId = null;
  }
}

/** What the shorter series has no place for is gone; what has a history is cancelled instead. */
function removeOrCancel(state: ScheduleState, row: MSession): void {
  const history = row.charges.length > 0 || row.movedFrom !== null;
  if (history) {
    cancelWithoutFee(row);
    row.slot = null;
  } else {
    state.sessions = state.sessions.filter((session) => session !== row);
  }
}

/** Deleting cancels without a fee and keeps the rows. */
export function deleteFrom(
  state: ScheduleState,
  input: Pick<Change, 'lessonId' | 'sessionId' | 'scope'>,
): MConsequences {
  const lesson = lessonOf(state, input.lessonId);
  const chosen = sessionOf(state, input.sessionId);
  if (chosen.lessonId !== lesson.id) throw new Rejected(404);
  if (lesson.repeats && input.scope === 'this') {
    assertScheduled(chosen);
    cancelWithoutFee(chosen);
    return summarizeChange({ removed: 1, dates: [chosen.date] });
  }
  const rows = sessionsOfLesson(state, lesson.id);
  const own = occurrenceDateOf(chosen);
  const later = rows.filter((row) => occurrenceDateOf(row) >= own);
  const whole = !lesson.repeats || input.scope === 'all' || later.length === rows.length;
  const inScope = whole ? rows : later;
  const settled = inScope.filter((row) => row.status === 'completed' || row.status === 'cancelled');
  const going = inScope.filter((row) => row.status === 'scheduled');
  for (const row of going) cancelWithoutFee(row);
  // The end of a holiday does not bring back what was deleted.
  for (const row of inScope) row.timeOffId = null;
  if (whole) {
    lesson.deleted = true;
    lesson.deletedAt = state.now;
  } else {
    endBefore(lesson, own);
  }
  return summarizeChange({
    removed: going.length,
    stays: settled.map((row) => row.status),
    dates: going.map((row) => row.date),
  });
}
