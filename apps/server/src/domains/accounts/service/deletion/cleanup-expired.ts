import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import {
  claimDue,
  completeWork,
  lockSchedule,
} from '../../../../platform/queue/tenant-schedule.ts';
import { deleteFailedLoginsBefore } from '../../queries/failed-logins.ts';
import { deleteExpiredLoginsAndTokens } from '../../queries/logins.ts';
import { deleteExpiredChallenges } from '../../queries/mfa-challenges.ts';
import { deleteExpiredOAuthRecords } from '../../queries/oauth-tickets.ts';

/** On the agenda from the moment something that can run out is made. */
export const ACCOUNT_CLEANUP_WORK = 'cleanup-accounts';
const BATCH_SIZE = 100;
/** Wrong passwords that the tutor was not told of by then, for nobody came in. */
const FAILED_LOGIN_RETENTION_DAYS = 30;

/** Traces of where a tutor logged in are kept no longer than they serve. */
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
