import { addDaysToDate } from '@lessonbook/contract/dates';
import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import { trialDaysLeft } from '@lessonbook/contract/trial-days-left';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { forEachDueTutor } from '../../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { countDueSessions } from '../../../lessons/service/read.ts';
import { listSessionsBelowMinimum } from '../../../lessons/service/roster.ts';
import { DAILY_NOTIFICATIONS_WORK } from '../../job-types.ts';
import { formatForTutor } from '../../rules/move-request-text.ts';
import { nextEvening } from '../../rules/sending-hours.ts';
import { notify } from './notifications.ts';

const TRIAL_NOTICE_DAYS = [3, 1];

export const sendDailyNotifications = (context: Context): Promise<void> =>
  forEachDueTutor(context, DAILY_NOTIFICATIONS_WORK, (tutorId) =>
    sendTutorNotifications(context, tutorId),
  );

/** Notifies the tutor about lessons that need completing, tomorrow's small groups and the end of the trial. */
async function sendTutorNotifications(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, DAILY_NOTIFICATIONS_WORK);
    const { timeZone, trialEndsAt } = await getTutorContact(tx, tutorId);
    const today = dateInZone(timeZone, now);
    const isEvening = nextEvening(timeZone, add24HourDays(now, -1)) <= now;
    const sessionsToComplete = await countDueSessions(tx, tutorId, now);
    if (isEvening && sessionsToComplete > 0) {
      await notify(context, tx, tutorId, {
        kind: 'sessions_to_complete',
        dedupeKey: `to complete ${today}`,
        text:
          sessionsToComplete === 1
            ? '1 lesson needs to be marked as complete.'
            : `${sessionsToComplete} lessons need to be marked as complete.`,
        path: '/dashboard',
        requiresAction: true,
      });
    }
    await notifyAboutSmallGroups(context, tx, tutorId, today);
    const daysLeft = trialDaysLeft(trialEndsAt, now);
    if (TRIAL_NOTICE_DAYS.includes(daysLeft)) {
      await notify(context, tx, tutorId, {
        kind: 'trial_ending',
        dedupeKey: `trial ${daysLeft}`,
        text: `Your free trial ends ${daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`}. Lessonbook is free for now, so you can carry on using it.`,
        path: '/settings',
        requiresAction: false,
      });
    }
    await completeWork(tx, tutorId, DAILY_NOTIFICATIONS_WORK, nextEvening(timeZone, now));
  });
}

/** Asks the tutor whether tomorrow's groups that are below their minimum will take place. */
async function notifyAboutSmallGroups(
  context: Context,
  tx: Tx,
  tutorId: string,
  today: string,
): Promise<void> {
  const date = addDaysToDate(today, 1);
  for (const session of await listSessionsBelowMinimum(tx, tutorId, date)) {
    const { id, title, startTime, minimum, expected } = session;
    const students = expected === 1 ? '1 student is' : `${expected} students are`;
    await notify(context, tx, tutorId, {
      kind: 'group_below_minimum',
      dedupeKey: `below minimum ${id} ${date}`,
      text: `${title} on ${formatForTutor({ date, startTime }, today)}: only ${students} expected, and the minimum is ${minimum}.`,
      path: `/sessions/${id}`,
      requiresAction: true,
      targetId: id,
    });
  }
}
