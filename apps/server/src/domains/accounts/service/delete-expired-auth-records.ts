import { addDaysToInstant } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import {
  claimDueTutors,
  completeWork,
  lockSchedule,
} from '../../../platform/queue/tenant-schedule.ts';
import { ACCOUNT_CLEANUP_WORK } from '../job-types.ts';
import { deleteFailedLoginsBefore } from '../queries/failed-logins.ts';
import { deleteExpiredLoginsAndEmailTokens } from '../queries/logins.ts';
import { deleteExpiredChallenges } from '../queries/mfa-challenges.ts';
import { deleteExpiredOAuthStates } from '../queries/oauth-states.ts';
import { deleteExpiredPendingIdentities } from '../queries/pending-google-identities.ts';

const BATCH_SIZE = 100;
/** Applies to failed logins that were not followed by a successful login, which would move them to the audit log. */
const FAILED_LOGIN_RETENTION_DAYS = 30;

export async function deleteExpiredAuthRecords(context: Context): Promise<void> {
  const { db, clock, limiter } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDueTutors(tx, ACCOUNT_CLEANUP_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) break;
    for (const tutorId of due) {
      await db.globalTransaction(async (tx) => {
        await lockSchedule(tx, tutorId, ACCOUNT_CLEANUP_WORK);
        await completeWork(
          tx,
          tutorId,
          ACCOUNT_CLEANUP_WORK,
          await deleteExpiredLoginsAndEmailTokens(tx, tutorId, clock.now()),
        );
      });
    }
  }
  await deleteExpiredOAuthStates(db.global, clock.now());
  await deleteExpiredPendingIdentities(db.global, clock.now());
  await deleteExpiredChallenges(db.global, clock.now());
  await deleteFailedLoginsBefore(
    db.global,
    addDaysToInstant(clock.now(), -FAILED_LOGIN_RETENTION_DAYS),
  );
  await limiter.deleteExpired();
}
