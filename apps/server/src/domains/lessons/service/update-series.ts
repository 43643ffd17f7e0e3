import type { LessonUpdate } from '@lessonbook/contract/lessons';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import {
  insertLesson,
  type LessonRecord,
  saveLesson,
  saveLessonWithRoster,
} from '../queries/lessons.ts';
import { insertRoster, updateDefaultSeatFees, updateExpectedSeats } from '../queries/seats.ts';
import {
  type SessionRecord,
  type SessionTimes,
  sessionsInSeries,
  updateSessions,
} from '../queries/sessions.ts';
import { rescheduleSessions } from '../queries/update-many-session-times.ts';
import {
  applyFields,
  type FieldChanges,
  toSeatColumns,
  toSessionColumns,
} from '../rules/lesson-field-changes.ts';
import { type LocalSlot, toInstants } from '../rules/local-to-utc.ts';
import {
  endSeriesBefore,
  firstAffectedDate,
  horizonOf,
  nextSeriesRule,
  occurrenceDateOf,
  occurrencesBetween,
  planSeries,
  resolveSeriesTimes,
  type SeriesPlan,
  unchangedBefore,
} from '../rules/plan-series-change.ts';
import { isAutomatic, isPaused } from '../rules/seat-fees-and-rosters.ts';
import { datesOutsideTerms } from '../rules/terms.ts';
import {
  cancelDuringTimeOff,
  detachFromTimeOff,
  restoreSeatsAfterMove,
} from './apply-and-lift-time-off.ts';
import { removeSessions } from './cancel-without-fee-and-restore.ts';
import {
  generateSessions,
  getTermsOrThrow,
  scheduleGenerationQuery,
  skippedSessions,
} from './generate-sessions.ts';
import { assertSingleSeats } from './guards.ts';
import { repriceSessions } from './rates.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import type { ScheduleTx } from './schedule-transaction.ts';
import { type SavedLesson, summarizeChange } from './summarize-change.ts';

interface SeriesChange {
  schedule: ScheduleTx;
  /** Before the change. */
  lesson: LessonRecord;
  /** After the change; a new lesson if the series was split. */
  target: LessonRecord;
  /** The sessions of `target`. */
  rows: readonly SessionRecord[];
  chosen: SessionRecord;
  input: LessonUpdate;
  plan: SeriesPlan;
}

/**
 * Applies a change to the series from the pivot (the first affected date) onwards. "All" keeps the lesson; "following"
 * ends it before the pivot and continues it as a new lesson that refers to the old one.
 */
export async function updateSeries(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  chosen: SessionRecord,
  input: LessonUpdate,
  changes: FieldChanges,
): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = schedule;
  const rows = await sessionsInSeries(tx, tutorId, lesson.id);
  const pivot = firstAffectedDate({ rows, chosen, scope: input.scope, now });
  const before = rows.filter((row) => occurrenceDateOf(row) < pivot);
  const isSplit = input.scope === 'following' && before.length > 0;
  const next = nextSeriesRule({
    lesson,
    chosen,
    pivot,
    requested: input,
    horizon: horizonOf(today),
  });
  const termCalendarId =
    input.isRecurring && input.termCalendarId !== undefined
      ? input.termCalendarId
      : lesson.termCalendarId;
  const newTerms = await getTermsOrThrow(schedule, termCalendarId);
  const plan = planSeries({
    oldDates: lesson.isRecurring
      ? occurrencesBetween(lesson.pattern, lesson.recurrenceStart, pivot, lesson.generatedUntil)
      : [pivot],
    newDates: next.dates,
    rows: rows.filter((row) => occurrenceDateOf(row) >= pivot),
    chosenId: chosen.id,
    includeEdited: input.includeEdited,
    oldTerms: await getTermsOrThrow(schedule, lesson.termCalendarId),
    newTerms,
  });
  const [first] = next.dates;
  const changed: LessonRecord = {
    ...applyFields(lesson, changes),
    ...resolveSeriesTimes(lesson, chosen, input),
    firstDate: isSplit
      ? (first ?? input.date)
      : before.length === 0
        ? (first ?? lesson.firstDate)
        : lesson.firstDate,
    isRecurring: lesson.isRecurring || input.isRecurring,
    pattern: next.pattern,
    recurrenceStart: next.recurrenceStart,
    endDate: next.endDate,
    generatedUntil: next.generatedUntil,
    termCalendarId,
  };
  const target = isSplit ? await splitLesson(schedule, lesson, changed, pivot, rows) : changed;
  if (!isSplit) await saveLessonWithRoster(tx, tutorId, lesson, target);
  const targetRows = isSplit ? rows.filter((row) => occurrenceDateOf(row) >= pivot) : rows;
  const change: SeriesChange = { schedule, lesson, target, rows: targetRows, chosen, input, plan };
  await detachRows(change);
  const movedIds = await rescheduleRows(change);
  const changedIds = toChangedSessionIds(change);
  const changedRows = rows.filter(({ id }) => changedIds.includes(id));
  assertSingleSeats(changedRows, changes);
  await updateSessions(tx, tutorId, changedIds, toSessionColumns(changes));
  await updateExpectedSeats(tx, tutorId, changedIds, toSeatColumns(changes, 'lesson'));
  await updateDefaultSeatFees(tx, tutorId, changedIds, changes, 'lesson');
  if (changes.usesRates || changedRows.some(({ seats }) => seats.some(isAutomatic)))
    await repriceSessions(schedule, changedIds);
  // If the notes changed, the chosen session's own notes are cleared, so that it shows the lesson's notes.
  const chosenIds = changedIds.filter((id) => id === chosen.id);
  if (changes.notes !== undefined) await updateSessions(tx, tutorId, chosenIds, { notes: null });
  await restoreSeatsAfterMove(schedule, movedIds);
  const isOther = (id: number) => id !== chosen.id;
  const skippedIds = await cancelDuringTimeOff(schedule, movedIds.filter(isOther));
  if (changes.studentId !== undefined)
    await cancelDuringTimeOff(schedule, changedIds.filter(isOther), changes.studentId);
  await removeSessions(schedule, plan.removals);
  const created = await appendSessions(change);
  const ids = [...movedIds, ...created.map((session) => session.id)];
  const overlaps = await resolveOverlaps(schedule, ids, input.acceptOverlaps);
  const generation = scheduleGenerationQuery(schedule, target);
  if (generation) await tx.executeQuery(generation);
  return {
    lessonId: target.id,
    sessionId: chosen.id,
    consequences: summarizeChange({
      changed: changedIds.length,
      created: created.length,
      removed: plan.removals.length,
      unchanged: [...unchangedBefore(before, input.scope), ...plan.unchanged],
      dates: [
        ...plan.moves.map((move) => move.seriesDate),
        ...(plan.chosenIsDetached ? [input.date] : []),
        ...created.map((session) => session.date),
      ],
      overlaps,
      skipped: [
        ...plan.moves
          .filter((move) => skippedIds.includes(move.id))
          .map((move) => ({ sessionId: move.id, date: move.seriesDate })),
        ...skippedSessions(created),
      ],
      outsideTerms: datesOutsideTerms(newTerms, next.dates),
    }),
    moved: rows
      .filter(({ id, endsAt }) => movedIds.includes(id) && endsAt > now)
      .map(({ id, date, startTime, endTime }) => ({ sessionId: id, date, startTime, endTime })),
  };
}

const toChangedSessionIds = ({ plan, chosen }: SeriesChange): number[] => [
  ...plan.moves.map((move) => move.id),
  ...(plan.chosenIsDetached ? [chosen.id] : []),
];

/** Moves all rows from the pivot onwards to the new lesson, including unchanged ones, because the old lesson ends. */
async function splitLesson(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  changed: LessonRecord,
  pivot: string,
  rows: readonly SessionRecord[],
): Promise<LessonRecord> {
  const { tx, tutorId, now } = schedule;
  await saveLesson(tx, tutorId, endSeriesBefore(lesson, pivot));
  const [id] = (await nextIdsForKind(tx, tutorId, 'lesson')) as [number];
  const continuation = { ...changed, id, continuesLessonId: lesson.id };
  await insertLesson(tx, tutorId, { ...continuation, createdAt: now }).execute();
  await insertRoster(tx, tutorId, id, continuation.roster).execute();
  const continuedIds = rows.filter((row) => occurrenceDateOf(row) >= pivot).map((row) => row.id);
  await updateSessions(tx, tutorId, continuedIds, { lesson_id: id });
  return continuation;
}

/**
 * Detaches unchanged rows from the series if its start or pattern has changed, or if another row now fills their date. Rows
 * without a date in the new series are also unlinked from their time off, so that its deletion does not restore them.
 */
async function detachRows({ schedule, lesson, target, rows, plan }: SeriesChange): Promise<void> {
  const { tx, tutorId } = schedule;
  const unchangedIds = new Set(plan.unchanged.map((entry) => entry.id));
  const movedIds = new Set(plan.moves.map((move) => move.id));
  const filledDates = new Set(plan.moves.map((move) => move.seriesDate));
  const hasRuleChanged =
    target.recurrenceStart !== lesson.recurrenceStart || target.pattern !== lesson.pattern;
  const displaced = rows.filter((row) => {
    const isDisplaced = row.seriesDate !== null && filledDates.has(row.seriesDate);
    // A series moved by whole weeks may keep its rule but fill different dates.
    if (unchangedIds.has(row.id)) return hasRuleChanged || isDisplaced;
    return !movedIds.has(row.id) && isDisplaced;
  });
  await updateSessions(
    tx,
    tutorId,
    displaced.map((row) => row.id),
    { series_date: null },
  );
  const hasDate = new Map(plan.unchanged.map(({ id, hasSeriesDate }) => [id, hasSeriesDate]));
  // The previous student's sessions are not restored when a pause ends, because the time slot now belongs to the new student.
  const hasNewStudent = target.roster[0]?.studentId !== lesson.roster[0]?.studentId;
  const isUnlinked = (row: SessionRecord) =>
    hasDate.get(row.id) === false || (hasNewStudent && hasDate.has(row.id) && isPaused(row));
  await detachFromTimeOff(schedule, rows.filter(isUnlinked));
}

/** Sets the series dates and times of the rows. Returns the ids of rows whose time has changed. */
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
  const moves = plan.moves.map(({ id, seriesDate }): SessionTimes => {
    // The chosen session gets the times from the dialog. If it was detached from the series, it stays detached.
    const isDetached = byId.get(id)?.seriesDate === null;
    const localSlot: LocalSlot =
      id === chosen.id
        ? { date: isDetached ? date : seriesDate, startTime, endTime }
        : { date: seriesDate, startTime: target.startTime, endTime: target.endTime };
    return {
      id,
      seriesDate: isDetached ? null : seriesDate,
      occurrenceDate: seriesDate,
      ...localSlot,
      ...toInstants(schedule.timeZone, localSlot),
    };
  });
  if (plan.chosenIsDetached) {
    const { id, seriesDate, occurrenceDate } = chosen;
    moves.push({
      id,
      seriesDate,
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

const hasDifferentTime = (before: SessionRecord | undefined, after: SessionTimes): boolean =>
  before?.startsAt.getTime() !== after.startsAt.getTime() ||
  before.endsAt.getTime() !== after.endsAt.getTime();

/** Generates sessions for the additional dates, except dates that already have one. */
async function appendSessions({ schedule, target, plan }: SeriesChange) {
  if (plan.appended.length === 0) return [];
  const rows = await sessionsInSeries(schedule.tx, schedule.tutorId, target.id);
  const existing = new Set(rows.map((row) => row.seriesDate));
  return generateSessions(
    schedule,
    target,
    plan.appended.filter((date) => !existing.has(date)),
  );
}
