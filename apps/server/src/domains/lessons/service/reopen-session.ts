import type { ReopenManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { ReopenRefusedError, seatsReopened } from '../events.ts';
import { findLessonIds } from '../queries/lessons.ts';
import { findSessions, type SessionRecord } from '../queries/sessions.ts';
import { filterExpectedSeats } from '../rules/seat-fees-and-rosters.ts';
import { restoreSessions } from './cancel-without-fee-and-restore.ts';
import { getSessionOrThrow, LESSON_DELETED_MESSAGE, sessionNotFound } from './guards.ts';
import { reopenNotes } from './lesson-notes.ts';
import { repriceSessions } from './rates.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

/** Undoes a completion or a cancellation. The session occupies its time slot again, so overlaps are checked. */
export async function reopenSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  { acceptOverlaps, withdrawNotes }: { acceptOverlaps: boolean; withdrawNotes: boolean },
): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    const { tx } = schedule;
    await reverseOutcomes(schedule, [await getSessionOrThrow(tx, tutorId, sessionId)]);
    await reopenNotes(context, tx, tutorId, { sessionIds: [sessionId], withdraw: withdrawNotes });
    await restoreSessions(schedule, [sessionId]);
    await repriceSessions(schedule, [sessionId]);
    await resolveOverlaps(schedule, [sessionId], acceptOverlaps);
  });
}

/** Undoes a batch completion for either all the sessions or none. Overlaps are accepted because they existed before. */
export async function reopenSessions(
  context: Context,
  tutorId: string,
  { ids }: ReopenManyInput,
): Promise<number> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const sessions = await findSessions(schedule.tx, tutorId, ids);
    if (sessions.length !== new Set(ids).size) throw sessionNotFound();
    try {
      await reverseOutcomes(schedule, sessions);
    } catch (error) {
      if (!(error instanceof ReopenRefusedError)) throw error;
      const title = sessions.find(({ id }) => id === error.sessionId)?.title;
      throw new AppError(error.code, `Nothing was reopened. ${title}: ${error.message}`);
    }
    await reopenNotes(context, schedule.tx, tutorId, { sessionIds: ids, withdraw: true });
    await restoreSessions(schedule, ids);
    await repriceSessions(schedule, ids);
    await resolveOverlaps(schedule, ids, true);
    return sessions.length;
  });
}

/** Subscribers undo the effects of the completions or cancellations, or throw if they cannot. */
async function reverseOutcomes(
  { context, tx, tutorId }: ScheduleTx,
  sessions: readonly SessionRecord[],
): Promise<void> {
  const lessonIds = sessions.map(({ lessonId }) => lessonId);
  const existingLessons = new Set(await findLessonIds(tx, tutorId, lessonIds));
  for (const { id, status, lessonId } of sessions) {
    if (status !== 'completed' && status !== 'cancelled') {
      throw new ReopenRefusedError(id, 'Only a completed or cancelled lesson can be reopened.');
    }
    if (!existingLessons.has(lessonId)) {
      throw new ReopenRefusedError(id, LESSON_DELETED_MESSAGE);
    }
  }
  const seats = sessions.flatMap((session) =>
    filterExpectedSeats(session.seats).map(({ studentId }) => ({
      sessionId: session.id,
      studentId,
    })),
  );
  await context.events.publish(tx, seatsReopened, { tutorId, seats });
}
