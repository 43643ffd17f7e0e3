import type { ReopenManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionReopened } from '../events.ts';
import { updateInstants } from '../queries/bulk-reschedule.ts';
import { findLesson } from '../queries/lessons.ts';
import { findSessions, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { getSessionOrThrow, sessionNotFound } from './guards.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

/** Takes back a completion or a cancellation. It takes up its time again, so it asks about overlaps as a move does. */
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

/**
 * What was ticked off in one list comes back as a whole or not at all. It stood there a moment ago, so overlaps are
 * accepted.
 */
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

/** Whatever hangs on its end is taken back, or refuses. */
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

/** Back on the wall as it is now: the tutor may live in another zone since. */
export async function restoreSessions(schedule: ScheduleTx, ids: readonly number[]): Promise<void> {
  const { tx, tutorId, timeZone } = schedule;
  const sessions = await findSessions(tx, tutorId, ids);
  await updateInstants(
    tx,
    tutorId,
    sessions.map((session) => ({ id: session.id, ...toInstants(timeZone, session) })),
  );
  await updateSessions(tx, tutorId, ids, {
    status: 'scheduled',
    is_billable: false,
    attendance: null,
    cancelled_by: null,
    cancel_reason: null,
    time_off_id: null,
  });
}
