import type { ChangeSummary, Scope } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { archiveLesson, saveLesson } from '../queries/lessons.ts';
import { type SessionRecord, sessionsInSeries } from '../queries/sessions.ts';
import {
  endSeriesBefore,
  occurrenceDateOf,
  type UnchangedReason,
} from '../rules/plan-series-change.ts';
import { detachFromTimeOff } from './apply-and-lift-time-off.ts';
import { cancelWithoutFee } from './cancel-without-fee-and-restore.ts';
import { assertScheduled, getLessonOrThrow, getLessonSessionOrThrow } from './guards.ts';
import { dryRun, runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';
import { summarizeChange } from './summarize-change.ts';

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
  runScheduleTransaction(context, tutorId, (schedule) => deleteFromLesson(schedule, deletion));

export const previewDelete = (
  context: Context,
  tutorId: string,
  deletion: Deletion,
): Promise<ChangeSummary> =>
  dryRun(context, tutorId, (schedule) => deleteFromLesson(schedule, deletion));

/** Cancels the sessions without a fee. The rows are kept, so that deleted sessions are not generated again. */
async function deleteFromLesson(
  schedule: ScheduleTx,
  { lessonId, scope, sessionId }: Deletion,
): Promise<ChangeSummary> {
  const { tx, tutorId, now } = schedule;
  const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
  const chosen = await getLessonSessionOrThrow(tx, tutorId, lessonId, sessionId);
  const rows = await sessionsInSeries(tx, tutorId, lessonId);
  const fromDate = occurrenceDateOf(chosen);
  const deletesAll =
    scope === 'all' ||
    !lesson.isRecurring ||
    (scope === 'following' && rows.every((row) => occurrenceDateOf(row) >= fromDate));
  if (scope === 'this' && lesson.isRecurring) {
    assertScheduled(chosen);
    await cancelWithoutFee(schedule, [chosen.id]);
    return summarizeChange({ removed: 1, dates: [chosen.date] });
  }
  const inScope = rows.filter((row) => deletesAll || occurrenceDateOf(row) >= fromDate);
  await detachFromTimeOff(schedule, inScope);
  const cancelled = inScope.filter((row) => row.status === 'scheduled');
  await cancelWithoutFee(
    schedule,
    cancelled.map((row) => row.id),
  );
  if (deletesAll) {
    await archiveLesson(tx, tutorId, lessonId, now);
  } else {
    await saveLesson(tx, tutorId, endSeriesBefore(lesson, fromDate));
  }
  return summarizeChange({
    removed: cancelled.length,
    unchanged: inScope.flatMap(toUnchangedEntry),
    dates: cancelled.map((row) => row.date),
  });
}

function toUnchangedEntry(row: SessionRecord): { id: number; reason: UnchangedReason }[] {
  return row.status === 'completed' || row.status === 'cancelled'
    ? [{ id: row.id, reason: row.status }]
    : [];
}
