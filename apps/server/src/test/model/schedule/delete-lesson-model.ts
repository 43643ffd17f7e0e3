import type { ChangeInput } from './change-single-session-model.ts';
import {
  assertScheduled,
  dayBefore,
  getLesson,
  getSession,
  type ModelConsequences,
  type ModelLesson,
  occurrenceDateOf,
  RejectedError,
  type ScheduleState,
  sessionsInLesson,
  summarizeChange,
} from './schedule-model.ts';
import { cancelWithoutFee, detachFromTimeOff } from './time-off-and-pauses-model.ts';

/* Deleting a lesson or part of its series. */

/** Ends the series before the date. A series that already ends earlier is not extended. */
export function endSeriesBefore(lesson: ModelLesson, date: string): void {
  const endDate = dayBefore(date);
  if (lesson.endDate === null || lesson.endDate > endDate) lesson.endDate = endDate;
  if (lesson.generatedUntil > endDate) lesson.generatedUntil = endDate;
}

/** Cancels the sessions without a fee and keeps their rows. */
export function deleteSessions(
  state: ScheduleState,
  input: Pick<ChangeInput, 'lessonId' | 'sessionId' | 'scope'>,
): ModelConsequences {
  const lesson = getLesson(state, input.lessonId);
  const chosen = getSession(state, input.sessionId);
  if (chosen.lessonId !== lesson.id) throw new RejectedError(404);
  if (lesson.repeats && input.scope === 'this') {
    assertScheduled(chosen);
    cancelWithoutFee(chosen);
    return summarizeChange({ removed: 1, dates: [chosen.date] });
  }
  const rows = sessionsInLesson(state, lesson.id);
  const from = occurrenceDateOf(chosen);
  const later = rows.filter((row) => occurrenceDateOf(row) >= from);
  const deletesAll = !lesson.repeats || input.scope === 'all' || later.length === rows.length;
  const inScope = deletesAll ? rows : later;
  const unchanged = inScope.filter(
    (row) => row.status === 'completed' || row.status === 'cancelled',
  );
  const deleted = inScope.filter((row) => row.status === 'scheduled');
  for (const row of deleted) cancelWithoutFee(row);
  for (const row of inScope) detachFromTimeOff(row);
  if (deletesAll) {
    lesson.deleted = true;
    lesson.deletedAt = state.now;
  } else {
    endSeriesBefore(lesson, from);
  }
  return summarizeChange({
    removed: deleted.length,
    unchanged: unchanged.map((row) => row.status),
    dates: deleted.map((row) => row.date),
  });
}
