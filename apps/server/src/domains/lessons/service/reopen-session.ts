import type { ReopenManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionReopened } from '../events.ts';
import { findLesson } from '../queries/lessons.ts';
import { findSessions, type SessionRecord } from '../queries/sessions.ts';
import { restoreSessions } from './cancel-and-restore-sessions.ts';
import { getSessionOrThrow, sessionNotFound } from './guards.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

/** Undoes a completion or a cancellation. The session takes up its time slot again, so overlaps are checked. */
export async function reopenSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  acceptOverlaps: boolean,
): Promise<void> {
  await changeSchedule(context, tutorId, async (schedule) => {
    await reverseOutcome(schedule, await getSessionOrThrow(schedule.tx, tutorId, sessionId));
    await restoreSessions(schedule, [sessionId]);
    await resolveOverlaps(schedule, [sessionId], acceptOverlaps);
  });
}

/** Undoes a batch completion for all of the sessions or none. Overlaps are accepted, since they existed before. */
export async function reopenSessions(
  context: Context,
  tutorId: string,
  { ids }: ReopenManyInput,
): Promise<number> {
  return changeSchedule(context, tutorId, async (schedule) => {
    const sessions = await findSessions(schedule.tx, tutorId, ids);
    if (sessions.length !== new Set(ids).size) throw sessionNotFound();
    for (const session of sessions) {
      try {
        await reverseOutcome(schedule, session);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { title } = session;
        throw new AppError(error.code, `Nothing was taken back. ${title}: ${error.message}`);
      }
    }
    await restoreSessions(schedule, ids);
    await resolveOverlaps(schedule, ids, true);
    return sessions.length;
  });
}

/** Subscribers undo the effects of the completion or cancellation, or throw if they cannot. */
async function reverseOutcome(
  { context, tx, tutorId }: ScheduleTx,
  session: SessionRecord,
): Promise<void> {
  if (session.status !== 'completed' && session.status !== 'cancelled') {
    throw new AppError('conflict', 'Only a completed or cancelled session can be reopened.');
  }
  if (!(await findLesson(tx, tutorId, session.lessonId))) {
    throw new AppError('conflict', 'The lesson of this session was deleted.');
  }
  await context.events.publish(tx, sessionReopened, { tutorId, sessionId: session.id });
}
