import type { LessonUpdate } from '@lessonbook/contract/lessons';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { rescheduleSessions } from '../queries/bulk-reschedule.ts';
import { insertLesson, type LessonRecord, saveLesson } from '../queries/lessons.ts';
import {
  deleteSessions,
  type SessionRecord,
  type SessionTimes,
  sessionsOfSeries,
  sessionsWithHistory,
  updateSessions,
} from '../queries/sessions.ts';
import { applyFields, type FieldChanges, toSessionColumns } from '../rules/field-diff.ts';
import { type LocalSlot, toInstants } from '../rules/local-to-utc.ts';
import {
  endSeriesBefore,
  firstAffectedDate,
  horizonOf,
  nextSeriesRule,
  occurrenceDateOf,
  occurrencesBetween,
  planSeries,
  type SeriesPlan,
} from '../rules/series.ts';
import { type SavedLesson, scheduleGeneration } from './create-lesson.ts';
import { cancelWithoutFee } from './delete-lesson.ts';
import { generateSessions } from './generate-sessions.ts';
import type { ScheduleTx } from './schedule-transaction.ts';
import { resolveOverlaps, summarizeChange } from './schedule-transaction.ts';
import { cancelDuringTimeOff } from './time-off.ts';

interface SeriesChange {
  schedule: ScheduleTx;
  /** The lesson as it was, and as it will be. */
  lesson: LessonRecord;
  target: LessonRecord;
  rows: readonly SessionRecord[];
  chosen: SessionRecord;
  input: LessonUpdate;
  plan: SeriesPlan;
  split: boolean;
}

/**
 * Lays the changed series over the old one from the pivot on. "All" stays the same lesson; "following" ends it before the
 * pivot and goes on as a new lesson that remembers where it came from.
 */
export async function updateSeries(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  chosen: SessionRecord,
  input: LessonUpdate,
  changes: FieldChanges,
): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = schedule;
  const rows = await sessionsOfSeries(tx, tutorId, lesson.id);
  const pivot = firstAffectedDate({ rows, chosen, scope: input.scope, now });
  const before = rows.filter((row) => occurrenceDateOf(row) < pivot);
  const split = input.scope === 'following' && before.length > 0;
  const next = nextSeriesRule({ lesson, chosen, pivot, input, horizon: horizonOf(today) });
  const plan = planSeries({
    oldDates: lesson.isRecurring
      ? occurrencesBetween(lesson.pattern, lesson.anchorDate, pivot, lesson.materialisedTo)
      : [pivot],
    newDates: next.dates,
    rows: rows.filter((row) => occurrenceDateOf(row) >= pivot),
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
  const target = split ? await splitLesson(schedule, lesson, changed, pivot, rows) : changed;
  if (!split) await saveLesson(tx, tutorId, target);
  const change: SeriesChange = { schedule, lesson, target, rows, chosen, input, plan, split };
  await releaseOccurrences(change);
  const movedIds = await rescheduleRows(change);
  const changedIds = changedSessionIds(change);
  await updateSessions(tx, tutorId, changedIds, toSessionColumns(changes));
  // What was changed for all is seen on the session it was changed on, too.
  if (changes.notes !== undefined)
    await updateSessions(
      tx,
      tutorId,
      changedIds.filter((id) => id === chosen.id),
      { notes: null },
    );
  await cancelDuringTimeOff(
    schedule,
    movedIds.filter((id) => id !== chosen.id),
  );
  await removeRows(change);
  const created = await appendSessions(change);
  const ids = [...movedIds, ...created.map((session) => session.id)];
  const overlaps = await resolveOverlaps(schedule, ids, input.acceptOverlaps);
  await scheduleGeneration(schedule, target);
  return {
    lessonId: target.id,
    sessionId: chosen.id,
    consequences: summarizeChange({
      changed: changedIds.length,
      created: created.length,
      removed: plan.removals.length,
      stays: [...unchangedBefore(before, input.scope), ...plan.unchanged],
      dates: [
        ...plan.moves.map((move) => move.slot),
        ...(plan.chosenIsDetached ? [input.date] : []),
        ...created.map((session) => session.date),
      ],
      overlaps,
    }),
  };
}

const changedSessionIds = ({ plan, chosen }: SeriesChange): number[] => [
  ...plan.moves.map((move) => move.id),
  ...(plan.chosenIsDetached ? [chosen.id] : []),
];

/** The series takes over a time that was changed in the dialog, not one that the chosen session had for itself. */
function seriesTimes(
  lesson: LessonRecord,
  chosen: SessionRecord,
  input: LessonUpdate,
): { startTime: string; endTime: string } {
  const changed = input.startTime !== chosen.startTime || input.endTime !== chosen.endTime;
  const { startTime, endTime } = changed ? input : lesson;
  return { startTime, endTime };
}

/** From the pivot on every row goes along, also what stays as it is: the old lesson has truly ended. */
async function splitLesson(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  changed: LessonRecord,
  pivot: string,
  rows: readonly SessionRecord[],
): Promise<LessonRecord> {
  const { tx, tutorId, now } = schedule;
  await saveLesson(tx, tutorId, endSeriesBefore(lesson, pivot));
  const [id] = (await nextIds(tx, tutorId, 'lesson')) as [number];
  const continuation = { ...changed, id, continuesLessonId: lesson.id };
  await insertLesson(tx, tutorId, { ...continuation, createdAt: now });
  const movedAlong = rows.filter((row) => occurrenceDateOf(row) >= pivot).map((row) => row.id);
  await updateSessions(tx, tutorId, movedAlong, { lesson_id: id });
  return continuation;
}

/**
 * Rows that stay keep their day. When the series counts from another day or in another rhythm they leave their place, which stays empty; a
 * place that the moved series now fills is given up; and what the series has no place for does not come back with the
 * end of a holiday.
 */
async function releaseOccurrences({
  schedule,
  lesson,
  target,
  rows,
  plan,
  split,
}: SeriesChange): Promise<void> {
  const { tx, tutorId } = schedule;
  const stays = new Set(plan.unchanged.map((stay) => stay.id));
  const moves = new Set(plan.moves.map((move) => move.id));
  const taken = new Set(plan.moves.map((move) => move.slot));
  const reanchored = target.anchorDate !== lesson.anchorDate || target.pattern !== lesson.pattern;
  const displaced = rows.filter((row) => {
    const isDisplaced = row.slot !== null && taken.has(row.slot);
    // Moved by whole weeks the series counts from the same day as before, and still takes other places.
    if (stays.has(row.id)) return reanchored || isDisplaced;
    return !split && !moves.has(row.id) && isDisplaced;
  });
  await updateSessions(
    tx,
    tutorId,
    displaced.map((row) => row.id),
    { series_date: null },
  );
  const withoutOccurrence = plan.unchanged.filter((stay) => !stay.hasPlace).map((stay) => stay.id);
  await updateSessions(tx, tutorId, withoutOccurrence, { time_off_id: null });
}

/** Gives the rows their new place and time; says which of them really stand at another time now. */
async function rescheduleRows({
  schedule,
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
    const detached = byId.get(id)?.slot === null;
    const localSlot: LocalSlot =
      id === chosen.id
        ? { date: detached ? date : slot, startTime, endTime }
        : { date: slot, startTime: target.startTime, endTime: target.endTime };
    return {
      id,
      slot: detached ? null : slot,
      occurrenceDate: slot,
      ...localSlot,
      ...toInstants(schedule.timeZone, localSlot),
    };
  });
  if (plan.chosenIsDetached) {
    const { id, slot, occurrenceDate } = chosen;
    moves.push({
      id,
      slot,
      occurrenceDate,
      date,
      startTime,
      endTime,
      ...toInstants(schedule.timeZone, input),
    });
  }
  await rescheduleSessions(schedule.tx, schedule.tutorId, target.id, moves);
  return moves.filter((move) => hasDifferentTime(byId.get(move.id), move)).map((move) => move.id);
}

const hasDifferentTime = (before: SessionRecord | undefined, now: SessionTimes): boolean =>
  before?.startsAt.getTime() !== now.startsAt.getTime() ||
  before.endsAt.getTime() !== now.endsAt.getTime();

/** What the shorter series has no place for is gone; what has a history is called off instead. */
async function removeRows({ schedule, plan }: SeriesChange): Promise<void> {
  const { tx, tutorId } = schedule;
  const kept = await sessionsWithHistory(tx, tutorId, plan.removals);
  await cancelWithoutFee(schedule, kept);
  await updateSessions(tx, tutorId, kept, { series_date: null });
  await deleteSessions(
    tx,
    tutorId,
    plan.removals.filter((id) => !kept.includes(id)),
  );
}

/** A longer series fills no place that has been settled. */
async function appendSessions({ schedule, target, plan }: SeriesChange) {
  if (plan.appended.length === 0) return [];
  const rows = await sessionsOfSeries(schedule.tx, schedule.tutorId, target.id);
  const settled = new Set(rows.map((row) => row.slot));
  return generateSessions(
    schedule,
    target,
    plan.appended.filter((date) => !settled.has(date)),
  );
}

/** For "all": what lies before the first session that changes stays too, and the tutor is told. */
function unchangedBefore(before: readonly SessionRecord[], scope: LessonUpdate['scope']) {
  if (scope !== 'all') return [];
  return before
    .filter((row) => row.status !== 'rescheduled')
    .map(({ id, status }) => ({
      id,
      reason: status === 'completed' || status === 'cancelled' ? status : ('past' as const),
    }));
}
