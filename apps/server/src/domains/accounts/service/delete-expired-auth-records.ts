import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../platform/queue/tenant-schedule.ts';
import { ACCOUNT_CLEANUP_WORK } from '../job-types.ts';
import { deleteFailedLoginsBefore } from '../queries/failed-logins.ts';
import { deleteExpiredLoginsAndEmailTokens } from '../queries/logins.ts';
import { deleteExpiredChallenges } from '../queries/mfa-challenges.ts';
import { deleteExpiredOAuthStates } from '../queries/oauth-states.ts';
import { deleteExpiredPendingIdentities } from '../queries/pending-google-sign-ins.ts';

/** Applies to failed logins that were not followed by a successful login, which would move them to the audit log. */
const FAILED_LOGIN_RETENTION_DAYS = 30;

export async function deleteExpiredAuthRecords(context: Context): Promise<void> {
  const { db, clock, limiter } = context;
  await forEachDueTutor(context, ACCOUNT_CLEANUP_WORK, (tutorId) =>
    db.globalTransaction(async (tx) => {
      await lockScheduledWork(tx, tutorId, ACCOUNT_CLEANUP_WORK);
      const next = await deleteExpiredLoginsAndEmailTokens(tx, tutorId, clock.now());
      await completeWork(tx, tutorId, ACCOUNT_CLEANUP_WORK, next);
    }),
  );
  await deleteExpiredOAuthStates(db.global, clock.now());
  await deleteExpiredPendingIdentities(db.global, clock.now());
  await deleteExpiredChallenges(db.global, clock.now());
  await deleteFailedLoginsBefore(
    db.global,
    add24HourDays(clock.now(), -FAILED_LOGIN_RETENTION_DAYS),
  );
  await limiter.deleteExpired();
}
