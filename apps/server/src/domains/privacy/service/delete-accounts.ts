import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import { completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { deleteTutorAccount } from '../../accounts/service/deletion/account-deletion.ts';
import { getTutorContact } from '../../accounts/service/profile/read-tutor.ts';
import { disconnect } from '../../calendar/service/disconnect.ts';
import { ACCOUNT_DELETION_WORK } from '../job-types.ts';
import { deleteWebhookEventsForTutor } from '../queries/retention-purge.ts';
import { sendAccountDeletedEmail } from './account-deletion-emails.ts';

/** After this time, the account is deleted even if the final email cannot be sent. */
const EMAIL_RETRY_DAYS = 1;

export const deleteDueAccounts = (context: Context): Promise<void> =>
  forEachDueTutor(context, ACCOUNT_DELETION_WORK, (tutorId) => deleteAccount(context, tutorId));

/**
 * Deletes all of a tutor's data. The deletion cannot be cancelled after the grace period. The calendar is disconnected and
 * the email is sent first, while the data they need still exists. A retry may repeat both.
 */
async function deleteAccount(context: Context, tutorId: string): Promise<void> {
  const { clock, db, limiter, log, queue } = context;
  const now = clock.now();
  const { deletionScheduledAt } = await db.tutorSnapshot(tutorId, (tx) =>
    getTutorContact(tx, tutorId),
  );
  if (!deletionScheduledAt || deletionScheduledAt > now) {
    await db.globalTransaction((tx) =>
      completeWork(tx, tutorId, ACCOUNT_DELETION_WORK, deletionScheduledAt),
    );
    return;
  }
  try {
    await disconnect(context, tutorId);
  } catch (error) {
    log.warn({ err: error }, 'calendar could not be disconnected before account deletion');
  }
  try {
    await sendAccountDeletedEmail(context, tutorId);
  } catch (error) {
    if (now < add24HourDays(deletionScheduledAt, EMAIL_RETRY_DAYS)) throw error;
    log.warn({ err: error }, 'account deleted without a final email');
  }
  await db.tutorTransaction(tutorId, async (tx) => {
    // A cancellation that was sent within the grace period may have waited for the lock until now.
    const current = await getTutorContact(tx, tutorId);
    if (!current.deletionScheduledAt || current.deletionScheduledAt > now) return;
    await queue.deleteTutorJobs(tx, tutorId);
    await limiter.deleteForTutor(tx, tutorId);
    await deleteWebhookEventsForTutor(tx, tutorId);
    await deleteTutorAccount(tx, tutorId);
  });
}
