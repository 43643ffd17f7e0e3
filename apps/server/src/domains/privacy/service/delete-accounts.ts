import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { deleteTutorAccount } from '../../accounts/service/deletion/account-deletion.ts';
import { getTutorContact } from '../../accounts/service/profile/profile.ts';
import { disconnect } from '../../calendar/service/connect.ts';
import { ACCOUNT_DELETION_WORK } from '../job-types.ts';
import { deleteCardEventsOfTutor } from '../queries/retention-purge.ts';
import { sendAccountDeletedEmail } from './deletion-email.ts';

const BATCH_SIZE = 10;
/** So long the last mail is tried; then the account goes without it. */
const EMAIL_RETRY_DAYS = 1;

export async function deleteDueAccounts(context: Context): Promise<void> {
  const { clock, db, log } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, ACCOUNT_DELETION_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due) {
      try {
        await deleteAccount(context, tutorId);
      } catch (error) {
        // It comes up again in a few minutes; the others must not wait for it.
        log.error({ err: error }, 'an account could not be deleted');
      }
    }
  }
}

/**
 * Everything of one tutor's, for good. The days of grace are over, so nobody can call it back any more: vendors and the
 * tutor are told first, while we still know how, and each of it may happen twice.
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
    log.warn({ err: error }, 'a calendar was not let go of before its account went');
  }
  try {
    await sendAccountDeletedEmail(context, tutorId);
  } catch (error) {
    if (now < addDays(deletionScheduledAt, EMAIL_RETRY_DAYS)) throw error;
    log.warn({ err: error }, 'an account goes without a last mail');
  }
  await db.tutorTransaction(tutorId, async (tx) => {
    await queue.deleteTutorJobs(tx, tutorId);
    await limiter.deleteForTutor(tx, tutorId);
    await deleteCardEventsOfTutor(tx, tutorId);
    await deleteTutorAccount(tx, tutorId);
  });
}
