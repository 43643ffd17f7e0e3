import { addDays, dateInZone } from '@lessonbook/contract/time';
import { trialDaysLeft } from '@lessonbook/contract/trial';
import type { Context } from '../../../../context.ts';
import {
  claimDue,
  completeWork,
  lockSchedule,
} from '../../../../platform/queue/tenant-schedule.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { countDueSessions } from '../../../lessons/service/read.ts';
import { DAILY_DIGEST_WORK } from '../../job-types.ts';
import { nextEvening } from '../../rules/business-hours.ts';
import { notify } from './notifications.ts';

const BATCH_SIZE = 50;
const TRIAL_NOTICE_DAYS = [3, 1];

export async function sendDailyDigests(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, DAILY_DIGEST_WORK, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due) await sendDailyDigest(context, tutorId);
  }
}

/** Notifies the tutor about lessons that need completing and about the end of the trial. */
async function sendDailyDigest(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockSchedule(tx, tutorId, DAILY_DIGEST_WORK);
    const { timeZone, trialEndsAt } = await getTutorContact(tx, tutorId);
    const today = dateInZone(timeZone, now);
    const isEvening = nextEvening(timeZone, addDays(now, -1)) <= now;
    const toComplete = await countDueSessions(tx, tutorId, now);
    if (isEvening && toComplete > 0) {
      await notify(context, tx, tutorId, {
        kind: 'sessions_to_complete',
        dedupeKey: `to complete ${today}`,
        text:
          toComplete === 1
            ? '1 lesson is to be ticked off.'
            : `${toComplete} lessons are to be ticked off.`,
        path: '/dashboard',
        requiresAction: true,
      });
    }
    const daysLeft = trialDaysLeft(trialEndsAt, now);
    if (TRIAL_NOTICE_DAYS.includes(daysLeft)) {
      await notify(context, tx, tutorId, {
        kind: 'trial_ending',
        dedupeKey: `trial ${daysLeft}`,
        text:
          daysLeft === 1
            ? 'Your free trial ends tomorrow.'
            : `Your free trial ends in ${daysLeft} days.`,
        path: '/settings',
        requiresAction: false,
      });
    }
    await completeWork(tx, tutorId, DAILY_DIGEST_WORK, nextEvening(timeZone, now));
  });
}
