import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, settleAgenda } from '../../../platform/agenda.ts';
import { removeTutor } from '../../accounts/service/leaving.ts';
import { contactIn } from '../../accounts/service/profile.ts';
import { disconnect } from '../../calendar/service/connect.ts';
import { deleteCardEvents } from '../queries/traces.ts';
import { LEAVING } from './leaving-job.ts';
import { sendGoodbye } from './leaving-mail.ts';

const AT_ONCE = 10;
/** So long the last mail is tried; then the account goes without it. */
const MAIL_PATIENCE_DAYS = 1;

export async function deleteDueAccounts(context: Context): Promise<void> {
  const { clock, db, log } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, LEAVING, clock.now(), AT_ONCE));
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
  const { leavingAt } = await db.lookAtTutor(tutorId, (tx) => contactIn(tx, tutorId));
  if (!leavingAt || leavingAt > now) {
    await db.inGlobal((tx) => settleAgenda(tx, tutorId, LEAVING, leavingAt));
    return;
  }
  try {
    await disconnect(context, tutorId);
  } catch (error) {
    log.warn({ err: error }, 'a calendar was not let go of before its account went');
  }
  try {
    await sendGoodbye(context, tutorId);
  } catch (error) {
    if (now < addDays(leavingAt, MAIL_PATIENCE_DAYS)) throw error;
    log.warn({ err: error }, 'an account goes without a last mail');
  }
  await db.withTutor(tutorId, async (tx) => {
    await queue.forgetTutor(tx, tutorId);
    await limiter.forgetTutor(tx, tutorId);
    await deleteCardEvents(tx, tutorId);
    await removeTutor(tx, tutorId);
  });
}
