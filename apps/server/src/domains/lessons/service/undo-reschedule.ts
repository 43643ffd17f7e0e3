import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionMoved } from '../events.ts';
import { saveLesson } from '../queries/lessons.ts';
import { findSession, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { assertScheduled, getLessonOrThrow, getSessionOrThrow } from './guards.ts';
import { restoreSessions } from './reopen-session.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

/**
 * Takes back a move. The session that was moved is itself again, in its place of the series, and not a third one at the
 * old time. The replacement stays as one that was moved there, since a family or a calendar may have heard of it.
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
        anchorDate: date,
        materialisedTo: date,
        startTime,
        endTime,
      });
    }
    // What stood there a moment ago may stand there again.
    await resolveOverlaps(schedule, [origin.id, moved.id], true);
    return origin.id;
  });
}

/** Where it came from, if that is still so and nothing but its time has changed since. */
async function findOriginOrThrow(
  { tx, tutorId }: ScheduleTx,
  moved: SessionRecord,
): Promise<SessionRecord> {
  const { rescheduledFromId } = moved;
  const origin = rescheduledFromId && (await findSession(tx, tutorId, rescheduledFromId));
  if (!origin || origin.status !== 'rescheduled' || origin.rescheduledToId !== moved.id) {
    throw new AppError('conflict', 'This session was not moved here from another time.');
  }
  const kept = (
    ['studentId', 'subjectId', 'lessonId', 'title', 'fee', 'place', 'notes'] as const
  ).every((field) => moved[field] === origin[field]);
  if (!kept) {
    throw new AppError('conflict', 'This session has been changed since. Please move it by hand.');
  }
  return origin;
}
