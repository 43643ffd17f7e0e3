import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import {
  claimDue,
  completeWork,
  lockSchedule,
} from '../../../../platform/queue/tenant-schedule.ts';
import { ACCOUNT_CLEANUP_WORK } from '../../job-types.ts';
import { deleteFailedLoginsBefore } from '../../queries/failed-logins.ts';
import { deleteExpiredLoginsAndTokens } from '../../queries/logins.ts';
import { deleteExpiredChallenges } from '../../queries/mfa-challenges.ts';
import { deleteExpiredOAuthRecords } from '../../queries/oauth-tickets.ts';

const BATCH_SIZE = 100;
/** Applies to failed logins that were not followed by a successful login, which would move them to the audit log. */
const FAILED_LOGIN_RETENTION_DAYS = 30;

export async function deleteExpiredAccountData(context: Context): Promise<void> {
  const { db, clock, limiter } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, ACCOUNT_CLEANUP_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) break;
    for (const tutorId of due) {
      await db.globalTransaction(async (tx) => {
        await lockSchedule(tx, tutorId, ACCOUNT_CLEANUP_WORK);
        await completeWork(
          tx,
          tutorId,
          ACCOUNT_CLEANUP_WORK,
          await deleteExpiredLoginsAndTokens(tx, tutorId, clock.now()),
        );
      });
    }
  }
  await deleteExpiredOAuthRecords(db.global, clock.now());
  await deleteExpiredChallenges(db.global, clock.now());
  await deleteFailedLoginsBefore(db.global, addDays(clock.now(), -FAILED_LOGIN_RETENTION_DAYS));
  await limiter.deleteExpired();
}
