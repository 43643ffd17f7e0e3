import type { Context } from '../../../context.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../platform/queue/tenant-schedule.ts';
import { moveRequestExpired } from '../events.ts';
import { MOVE_REQUESTS_WORK } from '../job-types.ts';
import {
  nextPendingStart,
  startedMoveRequests,
  updateMoveRequest,
} from '../queries/move-requests.ts';
import { toEventData } from './move-request-event.ts';

/** Closes the requests to move lessons that have started, with one transaction per tutor. */
export const closeStartedRequests = (context: Context): Promise<void> =>
  forEachDueTutor(context, MOVE_REQUESTS_WORK, (tutorId) => closeForTutor(context, tutorId));

/** Idempotent: a request is closed, and both sides are notified, in one transaction. */
async function closeForTutor(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, MOVE_REQUESTS_WORK);
    for (const request of await startedMoveRequests(tx, tutorId, now).execute()) {
      await updateMoveRequest(tx, tutorId, request.id, { status: 'closed', at: now });
      await context.events.publish(tx, moveRequestExpired, toEventData(tutorId, request));
    }
    await completeWork(tx, tutorId, MOVE_REQUESTS_WORK, await nextPendingStart(tx, tutorId));
  });
}
