import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { forgetFailedLogins } from '../queries/failed-logins.ts';
import { forgetGoogleTraces } from '../queries/google-tickets.ts';
import { forgetExpired } from '../queries/logins.ts';
import { forgetSecondSteps } from '../queries/second-steps.ts';

/** On the agenda from the moment something that can run out is made. */
export const TIDY = 'cleanup-accounts';
const AT_ONCE = 100;
/** Wrong passwords that the tutor was not told of by then, for nobody came in. */
const FAILED_KEPT_DAYS = 30;

/** Traces of where a tutor logged in are kept no longer than they serve. */
export async function tidyAccounts(context: Context): Promise<void> {
  const { db, clock, limiter } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, TIDY, clock.now(), AT_ONCE));
    if (due.length === 0) break;
    for (const tutorId of due) {
      await db.inGlobal(async (tx) => {
        await lockAgenda(tx, tutorId, TIDY);
        await settleAgenda(tx, tutorId, TIDY, await forgetExpired(tx, tutorId, clock.now()));
      });
    }
  }
  await forgetGoogleTraces(db.global, clock.now());
  await forgetSecondSteps(db.global, clock.now());
  await forgetFailedLogins(db.global, addDays(clock.now(), -FAILED_KEPT_DAYS));
  await limiter.tidy();
}
