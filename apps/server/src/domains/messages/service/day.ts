import { addDays, dateIn, trialDaysLeft } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { contactIn } from '../../accounts/service/profile.ts';
import { countDue } from '../../lessons/service/count-due.ts';
import { nextEvening } from '../rules/morning.ts';
import { notify } from './inbox.ts';

/** Each tutor's evening: what is to be ticked off, and whether the trial ends soon. */
export const DAY = 'daily-digest';
const AT_ONCE = 50;
const TRIAL_NOTICE_DAYS = [3, 1];

export async function tellTheDay(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, DAY, clock.now(), AT_ONCE));
    if (due.length === 0) return;
    for (const tutorId of due) await tellTutor(context, tutorId);
  }
}

async function tellTutor(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.withTutor(tutorId, async (tx) => {
    await lockAgenda(tx, tutorId, DAY);
    const { timeZone, trialEndsAt } = await contactIn(tx, tutorId);
    const today = dateIn(timeZone, now);
    const evening = nextEvening(timeZone, addDays(now, -1)) <= now;
    const toComplete = await countDue(tx, tutorId, now);
    if (evening && toComplete > 0) {
      await notify(context, tx, tutorId, {
        kind: 'sessions_to_complete',
        occasion: `to complete ${today}`,
        text:
          toComplete === 1
            ? '1 lesson is to be ticked off.'
            : `${toComplete} lessons are to be ticked off.`,
        path: '/dashboard',
        needsYou: true,
      });
    }
    const left = trialDaysLeft(trialEndsAt, now);
    if (TRIAL_NOTICE_DAYS.includes(left)) {
      await notify(context, tx, tutorId, {
        kind: 'trial_ending',
        occasion: `trial ${left}`,
        text:
          left === 1 ? 'Your free trial ends tomorrow.' : `Your free trial ends in ${left} days.`,
        path: '/settings',
        needsYou: false,
      });
    }
    await settleAgenda(tx, tutorId, DAY, nextEvening(timeZone, now));
  });
}
