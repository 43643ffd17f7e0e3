import type { ReopenManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionReopened } from '../events.ts';
import { findLesson } from '../queries/lessons.ts';
import { retimeSessions } from '../queries/session-times.ts';
import { findSessions, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { instantsOf } from '../rules/instants.ts';
import { noSuchSession, sessionInBook } from './find.ts';
import { settleOverlaps } from './overlaps.ts';
import { changeSchedule, type OpenBook } from './schedule.ts';

/** Takes back a completion or a cancellation. It takes up its time again, so it asks about overlaps as a move does. */
export async function reopenSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  acceptOverlaps: boolean,
): Promise<void> {
  await changeSchedule(context, tutorId, async (book) => {
    await letGo(book, await sessionInBook(book.tx, tutorId, sessionId));
    await restore(book, [sessionId]);
    await settleOverlaps(book, [sessionId], acceptOverlaps);
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
  return changeSchedule(context, tutorId, async (book) => {
    const sessions = await findSessions(book.tx, tutorId, ids);
    if (sessions.length !== new Set(ids).size) throw noSuchSession();
    for (const session of sessions) {
      try {
        await letGo(book, session);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { title } = session;
        throw new AppError(error.code, `Nothing was taken back. ${title}: ${error.message}`);
      }
    }
    await restore(book, ids);
    await settleOverlaps(book, ids, true);
    return sessions.length;
  });
}

/** Whatever hangs on its end is taken back, or refuses. */
async function letGo({ context, tx, tutorId }: OpenBook, session: SessionRecord): Promise<void> {
  if (session.status !== 'completed' && session.status !== 'cancelled') {
    throw new AppError('conflict', 'Only a completed or cancelled session can be reopened.');
  }
  if (!(await findLesson(tx, tutorId, session.lessonId))) {
    throw new AppError('conflict', 'The lesson of this session was deleted.');
  }
  await context.events.publish(tx, sessionReopened, { tutorId, sessionId: session.id });
}

/** Back on the wall as it is now: the tutor may live in another zone since. */
export async function restore(book: OpenBook, ids: readonly number[]): Promise<void> {
  const { tx, tutorId, timeZone } = book;
  const sessions = await findSessions(tx, tutorId, ids);
  await retimeSessions(
    tx,
    tutorId,
    sessions.map((session) => ({ id: session.id, ...instantsOf(timeZone, session) })),
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
