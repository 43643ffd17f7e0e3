import type { LessonChange } from '@lessonbook/contract/lessons';
import { takeIds } from '../../../platform/counters.ts';
import { insertLesson, type LessonRecord, saveLesson } from '../queries/lessons.ts';
import { moveSessions } from '../queries/session-times.ts';
import {
  deleteSessions,
  rowsOfLesson,
  type SessionRecord,
  type SessionTimes,
  sessionsWithHistory,
  updateSessions,
} from '../queries/sessions.ts';
import { applyFields, type FieldChanges, sessionColumns } from '../rules/fields.ts';
import { endedBefore, horizonOf } from '../rules/horizon.ts';
import { instantsOf, type WallTime } from '../rules/instants.ts';
import {
  nextSeries,
  pivotOf,
  placeOf,
  places,
  planSeries,
  type SeriesPlan,
} from '../rules/series.ts';
import { addSessions } from './add-sessions.ts';
import { consequencesOf } from './consequences.ts';
import { keepGoing, type SavedLesson } from './create-lesson.ts';
import { cancelFree } from './delete-lesson.ts';
import { settleOverlaps } from './overlaps.ts';
import type { OpenBook } from './schedule.ts';
import { skipTimeOff } from './time-off.ts';

interface SeriesChange {
  book: OpenBook;
  /** The lesson as it was, and as it will be. */
  lesson: LessonRecord;
  target: LessonRecord;
  rows: readonly SessionRecord[];
  chosen: SessionRecord;
  input: LessonChange;
  plan: SeriesPlan;
  split: boolean;
}

/**
 * Lays the changed series over the old one from the pivot on. "All" stays the same lesson; "following" ends it before the
 * pivot and goes on as a new lesson that remembers where it came from.
 */
export async function changeSeries(
  book: OpenBook,
  lesson: LessonRecord,
  chosen: SessionRecord,
  input: LessonChange,
  changes: FieldChanges,
): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = book;
  const rows = await rowsOfLesson(tx, tutorId, lesson.id);
  const pivot = pivotOf({ rows, chosen, scope: input.scope, now });
  const before = rows.filter((row) => placeOf(row) < pivot);
  const split = input.scope === 'following' && before.length > 0;
  const next = nextSeries({ lesson, chosen, pivot, input, horizon: horizonOf(today) });
  const plan = planSeries({
    oldDates: lesson.isRecurring
      ? places(lesson.pattern, lesson.anchorDate, pivot, lesson.materialisedTo)
      : [pivot],
    newDates: next.dates,
    rows: rows.filter((row) => placeOf(row) >= pivot),
    chosenId: chosen.id,
    includeEdited: input.includeEdited,
  });
  const [first] = next.dates;
  const changed: LessonRecord = {
    ...applyFields(lesson, changes),
    ...seriesTimes(lesson, chosen, input),
    firstDate: split
      ? (first ?? input.date)
      : before.length === 0
        ? (first ?? lesson.firstDate)
        : lesson.firstDate,
    isRecurring: lesson.isRecurring || input.isRecurring,
    pattern: next.pattern,
    anchorDate: next.anchor,
    endDate: next.endDate,
    materialisedTo: next.materialisedTo,
  };
  const target = split ? await splitLesson(book, lesson, changed, pivot, rows) : changed;
  if (!split) await saveLesson(tx, tutorId, target);
  const change: SeriesChange = { book, lesson, target, rows, chosen, input, plan, split };
  await leavePlaces(change);
  const movedIds = await moveRows(change);
  const changedIds = changedOf(change);
  await updateSessions(tx, tutorId, changedIds, sessionColumns(changes));
  // What was changed for all is seen on the session it was changed on, too.
  if (changes.notes !== undefined)
    await updateSessions(
      tx,
      tutorId,
      changedIds.filter((id) => id === chosen.id),
      { notes: null },
    );
  await skipTimeOff(
    book,
    movedIds.filter((id) => id !== chosen.id),
  );
  await removeRows(change);
  const created = await addBeyond(change);
  const ids = [...movedIds, ...created.map((session) => session.id)];
  const overlaps = await settleOverlaps(book, ids, input.acceptOverlaps);
  await keepGoing(book, target);
  return {
    lessonId: target.id,
    sessionId: chosen.id,
    consequences: consequencesOf({
      changed: changedIds.length,
      created: created.length,
      removed: plan.removes.length,
      stays: [...stayedBefore(before, input.scope), ...plan.stays],
      dates: [
        ...plan.moves.map((move) => move.slot),
        ...(plan.chosenBeside ? [input.date] : []),
        ...created.map((session) => session.date),
      ],
      overlaps,
    }),
  };
}

const changedOf = ({ plan, chosen }: SeriesChange): number[] => [
  ...plan.moves.map((move) => move.id),
  ...(plan.chosenBeside ? [chosen.id] : []),
];

/** The series takes over a time that was changed in the dialog, not one that the chosen session had for itself. */
function seriesTimes(
  lesson: LessonRecord,
  chosen: SessionRecord,
  input: LessonChange,
): { startTime: string; endTime: string } {
  const changed = input.startTime !== chosen.startTime || input.endTime !== chosen.endTime;
  const { startTime, endTime } = changed ? input : lesson;
  return { startTime, endTime };
}

/** From the pivot on every row goes along, also what stays as it is: the old lesson has truly ended. */
async function splitLesson(
  book: OpenBook,
  lesson: LessonRecord,
  changed: LessonRecord,
  pivot: string,
  rows: readonly SessionRecord[],
): Promise<LessonRecord> {
  const { tx, tutorId, now } = book;
  await saveLesson(tx, tutorId, endedBefore(lesson, pivot));
  const [id] = (await takeIds(tx, tutorId, 'lesson')) as [number];
  const follower = { ...changed, id, continuesLessonId: lesson.id };
  await insertLesson(tx, tutorId, { ...follower, createdAt: now });
  const along = rows.filter((row) => placeOf(row) >= pivot).map((row) => row.id);
  await updateSessions(tx, tutorId, along, { lesson_id: id });
  return follower;
}

/**
 * Rows that stay keep their day. When the series counts from another day or in another rhythm they leave their place, which stays empty; a
 * place that the moved series now fills is given up; and what the series has no place for does not come back with the
 * end of a holiday.
 */
async function leavePlaces({
  book,
  lesson,
  target,
  rows,
  plan,
  split,
}: SeriesChange): Promise<void> {
  const { tx, tutorId } = book;
  const stays = new Set(plan.stays.map((stay) => stay.id));
  const moves = new Set(plan.moves.map((move) => move.id));
  const taken = new Set(plan.moves.map((move) => move.slot));
  const reanchored = target.anchorDate !== lesson.anchorDate || target.pattern !== lesson.pattern;
  const giveWay = rows.filter((row) => {
    const inTheWay = row.slot !== null && taken.has(row.slot);
    // Moved by whole weeks the series counts from the same day as before, and still takes other places.
    if (stays.has(row.id)) return reanchored || inTheWay;
    return !split && !moves.has(row.id) && inTheWay;
  });
  await updateSessions(
    tx,
    tutorId,
    giveWay.map((row) => row.id),
    { series_date: null },
  );
  const placeless = plan.stays.filter((stay) => !stay.hasPlace).map((stay) => stay.id);
  await updateSessions(tx, tutorId, placeless, { time_off_id: null });
}

/** Gives the rows their new place and time; says which of them really stand at another time now. */
async function moveRows({
  book,
  target,
  rows,
  chosen,
  input,
  plan,
}: SeriesChange): Promise<number[]> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const { date, startTime, endTime } = input;
  const moves = plan.moves.map(({ id, slot }): SessionTimes => {
    // The chosen session has the dialog's hours; if it had left its place before, it stays beside the series.
    const beside = byId.get(id)?.slot === null;
    const wall: WallTime =
      id === chosen.id
        ? { date: beside ? date : slot, startTime, endTime }
        : { date: slot, startTime: target.startTime, endTime: target.endTime };
    return {
      id,
      slot: beside ? null : slot,
      occurrenceDate: slot,
      ...wall,
      ...instantsOf(book.timeZone, wall),
    };
  });
  if (plan.chosenBeside) {
    const { id, slot, occurrenceDate } = chosen;
    moves.push({
      id,
      slot,
      occurrenceDate,
      date,
      startTime,
      endTime,
      ...instantsOf(book.timeZone, input),
    });
  }
  await moveSessions(book.tx, book.tutorId, target.id, moves);
  return moves.filter((move) => standsElsewhere(byId.get(move.id), move)).map((move) => move.id);
}

const standsElsewhere = (before: SessionRecord | undefined, now: SessionTimes): boolean =>
  before?.startsAt.getTime() !== now.startsAt.getTime() ||
  before.endsAt.getTime() !== now.endsAt.getTime();

/** What the shorter series has no place for is gone; what has a history is called off instead. */
async function removeRows({ book, plan }: SeriesChange): Promise<void> {
  const { tx, tutorId } = book;
  const kept = await sessionsWithHistory(tx, tutorId, plan.removes);
  await cancelFree(book, kept);
  await updateSessions(tx, tutorId, kept, { series_date: null });
  await deleteSessions(
    tx,
    tutorId,
    plan.removes.filter((id) => !kept.includes(id)),
  );
}

/** A longer series fills no place that has been settled. */
async function addBeyond({ book, target, plan }: SeriesChange) {
  if (plan.beyond.length === 0) return [];
  const rows = await rowsOfLesson(book.tx, book.tutorId, target.id);
  const settled = new Set(rows.map((row) => row.slot));
  return addSessions(
    book,
    target,
    plan.beyond.filter((date) => !settled.has(date)),
  );
}

/** For "all": what lies before the first session that changes stays too, and the tutor is told. */
function stayedBefore(before: readonly SessionRecord[], scope: LessonChange['scope']) {
  if (scope !== 'all') return [];
  return before
    .filter((row) => row.status !== 'rescheduled')
    .map(({ id, status }) => ({
      id,
      reason: status === 'completed' || status === 'cancelled' ? status : ('past' as const),
    }));
}
