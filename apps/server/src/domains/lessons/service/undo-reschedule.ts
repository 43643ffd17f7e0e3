import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionMoved } from '../events.ts';
import { saveLesson } from '../queries/lessons.ts';
import { findSession, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { assertScheduled, getLessonOrThrow, getSessionOrThrow } from './guards.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';
import { restoreSessions } from './session-status.ts';

/**
 * Undoes a reschedule. The original session becomes scheduled again, so no third row is created. The replacement is kept
 * as a rescheduled row, since a family may have been notified about it or it may have been synced to a calendar.
 */
export async function undoReschedule(
  context: Context,
  tutorId: string,
  sessionId: number,
): Promise<number> {
  return changeSchedule(context, tutorId, async (schedule) => {
    const { tx } = schedule;
    const moved = await getSessionOrThrow(tx, tutorId, sessionId);
    assertScheduled(moved);
    const origin = await findOriginOrThrow(schedule, moved);
    const lesson = await getLessonOrThrow(tx, tutorId, origin.lessonId);

    await context.events.publish(tx, sessionMoved, { tutorId, fromId: moved.id, toId: origin.id });
    await restoreSessions(schedule, [origin.id]);
    await updateSessions(tx, tutorId, [origin.id], { rescheduled_to_id: null });
    await updateSessions(tx, tutorId, [moved.id], {
      status: 'rescheduled',
      rescheduled_to_id: origin.id,
    });
    if (!lesson.isRecurring) {
      const { date, startTime, endTime } = origin;
      await saveLesson(tx, tutorId, {
        ...lesson,
        firstDate: date,
        recurrenceStart: date,
        generatedUntil: date,
        startTime,
        endTime,
      });
    }
    // Overlaps are accepted, since they existed before the reschedule.
    await resolveOverlaps(schedule, [origin.id, moved.id], true);
    return origin.id;
  });
}

/** Finds the session it was rescheduled from. Throws if anything other than the time has changed since. */
async function findOriginOrThrow(
  { tx, tutorId }: ScheduleTx,
  moved: SessionRecord,
): Promise<SessionRecord> {
  const { rescheduledFromId } = moved;
  const origin = rescheduledFromId && (await findSession(tx, tutorId, rescheduledFromId));
  if (!origin || origin.status !== 'rescheduled' || origin.rescheduledToId !== moved.id) {
    throw new AppError('conflict', 'This session was not moved here from another time.');
  }
  const isUnchanged = (
    ['studentId', 'subjectId', 'lessonId', 'title', 'fee', 'place', 'notes'] as const
  ).every((field) => moved[field] === origin[field]);
  if (!isUnchanged) {
    throw new AppError('conflict', 'This session has been changed since. Please move it by hand.');
  }
  return origin;
}
