import {
  addSessions,
  askAbout,
  cancelFree,
  consequences,
  covers,
  datesOf,
  dayBefore,
  type Fields,
  isOver,
  lessonOf,
  type MConsequences,
  type MLesson,
  type MSession,
  mustBeScheduled,
  placeOf,
  Refused,
  type State,
  sessionOf,
  sessionsOf,
  throughOf,
} from './book-model.ts';
import { daysAfter, monthsAfter, type Repeat } from './zone-oracle.ts';

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

export function change(state: State, input: Change): Saved {
  const lesson = lessonOf(state, input.lessonId);
  const chosen = sessionOf(state, input.sessionId);
  if (chosen.lessonId !== lesson.id) throw new Refused(404);
  const { dialog } = input;
  const single = !lesson.repeats && !dialog.repeats;
  if (single || (lesson.repeats && input.scope === 'this')) {
    return changeOne(state, lesson, chosen, input);
  }
  return changeSeries(state, lesson, chosen, input);
}

function changeOne(state: State, lesson: MLesson, chosen: MSession, input: Change): Saved {
  const { dialog } = input;
  mustBeScheduled(chosen);
  const fields = changedFields(chosen, dialog);
  const notesChanged = ((chosen.notes ?? lesson.notes) || null) !== dialog.notes;
  const edited = notesChanged || Object.keys(fields).length > 0;
  Object.assign(chosen, fields);
  // Its own may also be none, kept as an empty text: cleared for this one only.
  if (notesChanged) chosen.notes = dialog.notes ?? '';
  if (edited && lesson.repeats) chosen.edited = true;
  const moves = standsElsewhere(chosen, dialog);
  const moved = moves ? move(state, chosen, dialog, input.accept) : null;
  if (!lesson.repeats) {
    Object.assign(lesson, fields);
    if (notesChanged) lesson.notes = dialog.notes;
    oneTimeAt(lesson, dialog);
  }
  return {
    lessonId: lesson.id,
    sessionId: moved?.session.id ?? chosen.id,
    consequences: consequences({
      changed: edited || moves ? 1 : 0,
      dates: [dialog.date],
      overlaps: moved?.overlaps ?? [],
    }),
  };
}

interface When {
  date: string;
  start: string;
  end: string;
}

export const standsElsewhere = (session: MSession, to: When): boolean =>
  session.date !== to.date || session.start !== to.start || session.end !== to.end;

/** A one-time lesson is where its session is. */
export function oneTimeAt(lesson: MLesson, { date, start, end }: When): void {
  Object.assign(lesson, { date, start, end, anchor: date, through: date });
}

/** The old one says where it went, the new one where it came from. The place in the series is not filled again. */
export function move(state: State, session: MSession, to: When, accept: boolean) {
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
  return { session: moved, overlaps: askAbout(state, [moved.id], accept) };
}

/** From which place on a change counts. What is past is past, unless the tutor began there. */
function firstPlace(
  state: State,
  rows: MSession[],
  chosen: MSession,
  scope: Change['scope'],
): string {
  const own = placeOf(chosen);
  if (scope !== 'all') return own;
  const coming = rows.filter((row) => row.status === 'scheduled' && !isOver(state, row));
  const inPlace = earliest(coming.filter((row) => row.slot !== null)) ?? own;
  const first = chosen.status === 'scheduled' && own < inPlace ? own : inPlace;
  return first;
}

const earliest = (rows: MSession[]): string | undefined => rows.map(placeOf).toSorted()[0];

interface Rule {
  pattern: Repeat;
  anchor: string;
  endDate: string | null;
  through: string;
  dates: string[];
}

function newRule(
  state: State,
  lesson: MLesson,
  chosen: MSession,
  from: string,
  dialog: Dialog,
): Rule {
  const { pattern } = dialog;
  const samePattern = lesson.repeats && lesson.pattern === pattern;
  const own = placeOf(chosen);
  const stays = samePattern && dialog.date === chosen.date;
  const anchor = stays
    ? lesson.anchor
    : samePattern && pattern === 'monthly'
      ? monthsAfter(dialog.date, months(from) - months(own))
      : daysAfter(dialog.date, daysBetween(own, from));
  const first = stays ? from : anchor;
  // Unticked, the series ends with the session it was unticked on.
  const endDate = dialog.repeats ? dialog.endDate : own > from ? dialog.date : first;
  const through = throughOf(state, endDate);
  return { pattern, anchor, endDate, through, dates: datesOf(pattern, anchor, first, through) };
}

const months = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Who speaks for a place: the chosen session, the one that fills it, or the newest that left it. */
function speaker(rows: MSession[], place: string, chosen: MSession): MSession | undefined {
  const there = rows.filter((row) => placeOf(row) === place);
  if (chosen.status === 'scheduled' && there.includes(chosen)) return chosen;
  return there.find((row) => row.slot !== null) ?? there.toSorted((a, b) => b.id - a.id)[0];
}

function whyItStays(row: MSession, includeEdited: boolean): string | null {
  if (row.status === 'completed' || row.status === 'cancelled') return row.status;
  if (row.status === 'rescheduled' || row.slot === null) return 'moved';
  return row.edited && !includeEdited ? 'edited' : null;
}

function changeSeries(state: State, lesson: MLesson, chosen: MSession, input: Change): Saved {
  const { dialog, scope } = input;
  const rows = sessionsOf(state, lesson.id);
  const from = firstPlace(state, rows, chosen, scope);
  const before = rows.filter((row) => placeOf(row) < from);
  const rule = newRule(state, lesson, chosen, from, dialog);
  const oldDates = lesson.repeats
    ? datesOf(lesson.pattern, lesson.anchor, from, lesson.through)
    : [from];
  const place = oldDates.indexOf(placeOf(chosen));
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
    through: rule.through,
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
  const speakers = oldDates.map((oldPlace) => speaker(rows, oldPlace, chosen));
  speakers.forEach((row, index) => {
    if (!row) return;
    const newPlace = rule.dates[index];
    const reason =
      row === chosen && row.status === 'scheduled' ? null : whyItStays(row, input.includeEdited);
    if (reason !== null) {
      stays.push(reason);
      stayBehind(row, newPlace, recounted);
    } else if (newPlace === undefined) {
      removed.push(row);
    } else {
      moves.push(newPlace);
      movers.push(row);
      taken.add(newPlace);
      const { start, end } = row === chosen ? dialog : changed;
      // If the chosen session had left its place before, it stays beside the series.
      const date = row === chosen && row.slot === null ? dialog.date : newPlace;
      if (standsElsewhere(row, { date, start, end })) moved.push(row);
      Object.assign(row, { date, start, end, origin: newPlace, lessonId: changed.id, ...fields });
      if (row.slot !== null) row.slot = newPlace;
    }
  });
  if (beside) {
    const { date, start, end } = dialog;
    moves.push(date);
    if (standsElsewhere(chosen, dialog)) moved.push(chosen);
    Object.assign(chosen, { date, start, end, lessonId: changed.id, ...fields });
  }
  if (notesChanged && chosen.status === 'scheduled') {
    chosen.notes = null;
  }
  giveWay(splits ? rows.filter((row) => !before.includes(row)) : rows, taken, movers);
  // What stays at a place from there on goes along, so that the old lesson has truly ended.
  if (splits) {
    for (const row of rows.filter((one) => !before.includes(one))) row.lessonId = changed.id;
  }
  for (const row of removed) remove(state, row);
  if (!splits) Object.assign(lesson, changed);
  // A series skips time off, also when it is moved into it; the chosen session is put there on purpose.
  for (const row of moved.filter((one) => one !== chosen)) {
    const off = state.timeOff.find((one) => covers(one, row));
    if (off) cancelFree(row, off.id);
  }
  // A longer series fills no place that has been settled.
  const settled = new Set(sessionsOf(state, changed.id).map((row) => row.slot));
  const beyond = rule.dates.slice(oldDates.length);
  const free = beyond.filter((date) => !settled.has(date));
  const created = addSessions(state, changed, free);
  const overlaps = askAbout(
    state,
    [...moved, ...created].map((row) => row.id),
    input.accept,
  );
  const past = scope === 'all' ? before.filter((row) => row.status !== 'rescheduled') : [];
  return {
    lessonId: changed.id,
    sessionId: chosen.id,
    consequences: consequences({
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
function giveWay(rows: MSession[], taken: ReadonlySet<string>, movers: readonly MSession[]): void {
  const others = rows.filter((row) => !movers.includes(row) && row.slot && taken.has(row.slot));
  for (const row of others) row.slot = null;
}

/** Never later than it ended already. */
function endBefore(lesson: MLesson, place: string): void {
  const ends = dayBefore(place);
  if (lesson.endDate === null || lesson.endDate > ends) lesson.endDate = ends;
  if (lesson.through > ends) lesson.through = ends;
}

/** It keeps its day; when the series is counted anew it leaves its place, which stays empty. */
function stayBehind(row: MSession, newPlace: string | undefined, recounted: boolean): void {
  if (recounted) row.slot = null;
  // The series has no place for it any more, so the end of a holiday does not bring it back.
  if (newPlace === undefined && row.timeOffId !== null) {
    row.timeOffId = null;
  }
}

/** What the shorter series has no place for is gone; what has a history is cancelled instead. */
function remove(state: State, row: MSession): void {
  const history = row.charges.length > 0 || row.movedFrom !== null;
  if (history) {
    cancelFree(row);
    row.slot = null;
  } else {
    state.sessions = state.sessions.filter((session) => session !== row);
  }
}

/** Deleting cancels without a fee and keeps the rows. */
export function deleteFrom(
  state: State,
  input: Pick<Change, 'lessonId' | 'sessionId' | 'scope'>,
): MConsequences {
  const lesson = lessonOf(state, input.lessonId);
  const chosen = sessionOf(state, input.sessionId);
  if (chosen.lessonId !== lesson.id) throw new Refused(404);
  if (lesson.repeats && input.scope === 'this') {
    mustBeScheduled(chosen);
    cancelFree(chosen);
    return consequences({ removed: 1, dates: [chosen.date] });
  }
  const rows = sessionsOf(state, lesson.id);
  const own = placeOf(chosen);
  const later = rows.filter((row) => placeOf(row) >= own);
  const whole = !lesson.repeats || input.scope === 'all' || later.length === rows.length;
  const inScope = whole ? rows : later;
  const settled = inScope.filter((row) => row.status === 'completed' || row.status === 'cancelled');
  const going = inScope.filter((row) => row.status === 'scheduled');
  for (const row of going) cancelFree(row);
  // The end of a holiday does not bring back what was deleted.
  for (const row of inScope) row.timeOffId = null;
  if (whole) {
    lesson.deleted = true;
    lesson.deletedAt = state.now;
  } else {
    endBefore(lesson, own);
  }
  return consequences({
    removed: going.length,
    stays: settled.map((row) => row.status),
    dates: going.map((row) => row.date),
  });
}
