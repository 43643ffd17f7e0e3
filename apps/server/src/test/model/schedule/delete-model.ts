import {
  assertScheduled,
  cancelWithoutFee,
  dayBefore,
  lessonOf,
  type MConsequences,
  type MLesson,
  occurrenceDateOf,
  Rejected,
  type ScheduleState,
  sessionOf,
  sessionsOfLesson,
  summarizeChange,
} from './schedule-model.ts';
import type { Change } from './single-session-model.ts';

/* Deleting a lesson or part of its series. */

/** Ends the series before the date. A series that already ends earlier is not extended. */
export function endBefore(lesson: MLesson, date: string): void {
  const endDate = dayBefore(date);
  if (lesson.endDate === null || lesson.endDate > endDate) lesson.endDate = endDate;
  if (lesson.generatedUntil > endDate) lesson.generatedUntil = endDate;
}

/** Cancels the sessions without a fee and keeps their rows. */
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
  const from = occurrenceDateOf(chosen);
  const later = rows.filter((row) => occurrenceDateOf(row) >= from);
  const wholeLesson = !lesson.repeats || input.scope === 'all' || later.length === rows.length;
  const inScope = wholeLesson ? rows : later;
  const settled = inScope.filter((row) => row.status === 'completed' || row.status === 'cancelled');
  const deleted = inScope.filter((row) => row.status === 'scheduled');
  for (const row of deleted) cancelWithoutFee(row);
  // Deleting time off must not restore deleted sessions.
  for (const row of inScope) row.timeOffId = null;
  if (wholeLesson) {
    lesson.deleted = true;
    lesson.deletedAt = state.now;
  } else {
    endBefore(lesson, from);
  }
  return summarizeChange({
    removed: deleted.length,
    unchanged: settled.map((row) => row.status),
    dates: deleted.map((row) => row.date),
  });
}
