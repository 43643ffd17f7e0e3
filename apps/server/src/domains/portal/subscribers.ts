import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { scheduleEarlier } from '../../platform/queue/tenant-schedule.ts';
import { MOVE_REQUESTS_WORK } from './job-types.ts';
import { closeOutdatedRequests } from './queries/move-requests.ts';

/**
 * A request applies only while the lesson is still at the time it had when the family asked. Families are not sent a
 * message about the request, because they are sent a notice of the change.
 */
export async function closeRequestsOfChangedLessons(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await closeOutdatedRequests(tx, tutorId, context.clock.now());
}

/** When the tutor's time zone changes, local times stay the same, so lessons may start earlier. */
export async function scheduleMoveRequestCheck(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleEarlier(tx, tutorId, MOVE_REQUESTS_WORK, context.clock.now());
}
