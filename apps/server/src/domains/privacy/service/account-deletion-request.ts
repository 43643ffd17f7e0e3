import {
  DELETION_GRACE_DAYS,
  type DeletionStatus,
} from '@lessonbook/contract/account-deletion-and-erasure';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { completeWork, scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import {
  cancelDeletion,
  scheduleDeletion,
} from '../../accounts/service/deletion/account-deletion.ts';
import { getTutorContact, readUser } from '../../accounts/service/profile/read-tutor.ts';
import { ACCOUNT_DELETION_WORK, DELETION_EMAIL_JOB } from '../job-types.ts';

export async function readDeletionStatus(
  context: Context,
  tutorId: string,
): Promise<DeletionStatus> {
  const { deletesAt } = await readUser(context, tutorId);
  return { deletesAt };
}

/** Starts the grace period. Until it ends, no data is deleted, but families get no automatic messages. */
export async function requestDeletion(context: Context, tutorId: string): Promise<DeletionStatus> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const { isDemo, deletionScheduledAt } = await getTutorContact(tx, tutorId);
    if (isDemo) throw new AppError('forbidden', "The demo account can't be deleted.");
    if (deletionScheduledAt) return;
    const at = add24HourDays(now, DELETION_GRACE_DAYS);
    await scheduleDeletion(tx, tutorId, at);
    await scheduleWork(tx, tutorId, ACCOUNT_DELETION_WORK, at);
    await recordAudit(tx, tutorId, { action: 'deletion_requested', at: now });
    await context.queue.enqueue(tx, DELETION_EMAIL_JOB, { tutorId });
  });
  return readDeletionStatus(context, tutorId);
}

/** Only possible until the grace period ends. After that, the deletion may already be running. */
export async function cancelDeletionRequest(
  context: Context,
  tutorId: string,
): Promise<DeletionStatus> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const { deletionScheduledAt } = await getTutorContact(tx, tutorId);
    if (!deletionScheduledAt) return;
    // Read under the lock, because the grace period may have ended while waiting for it.
    const now = context.clock.now();
    if (deletionScheduledAt <= now)
      throw new AppError('conflict', 'This account is already being deleted.');
    await cancelDeletion(context, tx, tutorId);
    await completeWork(tx, tutorId, ACCOUNT_DELETION_WORK, null);
    await recordAudit(tx, tutorId, { action: 'deletion_cancelled', at: now });
  });
  return readDeletionStatus(context, tutorId);
}
