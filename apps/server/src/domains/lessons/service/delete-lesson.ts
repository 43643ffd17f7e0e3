import type { ChangeSummary, Scope } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { sessionsNotBillable } from '../events.ts';
import { archiveLesson, saveLesson } from '../queries/lessons.ts';
import { type SessionRecord, sessionsOfSeries, updateSessions } from '../queries/sessions.ts';
import { endSeriesBefore, occurrenceDateOf, type UnchangedReason } from '../rules/series.ts';
import { assertScheduled, getLessonOrThrow, getSessionOfLessonOrThrow } from './guards.ts';
import {
  changeSchedule,
  dryRun,
  resolveOverlaps,
  type ScheduleTx,
  summarizeChange,
} from './schedule-transaction.ts';

interface Deletion {
  lessonId: number;
  scope: Scope;
  sessionId: number;
}

export const deleteLesson = (
  context: Context,
  tutorId: string,
  deletion: Deletion,
): Promise<ChangeSummary> =>
  changeSchedule(context, tutorId, (schedule) => deleteFromLesson(schedule, deletion));

export const previewDelete = (
  context: Context,
  tutorId: string,
  deletion: Deletion,
): Promise<ChangeSummary> =>
  dryRun(context, tutorId, (schedule) => deleteFromLesson(schedule, deletion));

/** Deleting cancels without a fee and keeps the rows, so nothing comes back with the horizon and nothing is lost. */
async function deleteFromLesson(
  schedule: ScheduleTx,
  { lessonId, scope, sessionId }: Deletion,
): Promise<ChangeSummary> {
  const { tx, tutorId, now } = schedule;
  const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
  const chosen = await getSessionOfLessonOrThrow(tx, tutorId, lessonId, sessionId);
  const rows = await sessionsOfSeries(tx, tutorId, lessonId);
  const fromDate = occurrenceDateOf(chosen);
  const whole =
    scope === 'all' ||
    !lesson.isRecurring ||
    (scope === 'following' && rows.every((row) => occurrenceDateOf(row) >= fromDate));
  if (scope === 'this' && lesson.isRecurring) {
    assertScheduled(chosen);
    await cancelWithoutFee(schedule, [chosen.id]);
    return summarizeChange({ removed: 1, dates: [chosen.date] });
  }
  const inScope = rows.filter((row) => whole || occurrenceDateOf(row) >= fromDate);
  await detachFromTimeOff(schedule, inScope);
  const cancelled = inScope.filter((row) => row.status === 'scheduled');
  await cancelWithoutFee(
    schedule,
    cancelled.map((row) => row.id),
  );
  if (whole) {
    await archiveLesson(tx, tutorId, lessonId, now);
  } else {
    await saveLesson(tx, tutorId, endSeriesBefore(lesson, fromDate));
  }
  return summarizeChange({
    removed: cancelled.length,
    stays: inScope.flatMap(unchangedEntry),
    dates: cancelled.map((row) => row.date),
  });
}

function unchangedEntry(row: SessionRecord): { id: number; reason: UnchangedReason }[] {
  return row.status === 'completed' || row.status === 'cancelled'
    ? [{ id: row.id, reason: row.status }]
    : [];
}

/** What is deleted must not come back when the time off that had called it off is taken back. */
export async function detachFromTimeOff(
  schedule: ScheduleTx,
  rows: readonly SessionRecord[],
): Promise<void> {
  const ids = rows.filter((row) => row.timeOffId !== null).map((row) => row.id);
  await updateSessions(schedule.tx, schedule.tutorId, ids, { time_off_id: null });
}

/** Cancelled by the tutor, who never charges for it. */
export async function cancelWithoutFee(
  schedule: ScheduleTx,
  ids: readonly number[],
  timeOffId: number | null = null,
): Promise<void> {
  await updateSessions(schedule.tx, schedule.tutorId, ids, {
    status: 'cancelled',
    cancelled_by: 'tutor',
    time_off_id: timeOffId,
  });
  await resolveOverlaps(schedule, ids, true);
  if (ids.length === 0) return;
  const { context, tx, tutorId } = schedule;
  await context.events.publish(tx, sessionsNotBillable, { tutorId, sessionIds: [...ids] });
}
