import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { forEachDueTutor } from '../../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../../platform/queue/tenant-schedule.ts';
import {
  getNotificationSettings,
  getTutorContact,
} from '../../../accounts/service/profile/read-tutor.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { findAnyCommunication } from '../../queries/session-communications.ts';
import { upcomingSessionsBetween } from '../../queries/sessions.ts';
import { afterQuietHours, earliest } from '../../rules/quiet-hours.ts';
import { toReader } from '../../rules/recipients.ts';
import { type PlannedReminder, planReminders } from '../../rules/reminder-plan.ts';
import { nextMorning } from '../../rules/sending-hours.ts';
import { sendCorrections } from '../outbound/correct-outdated-messages.ts';
import {
  createMessages,
  type OutgoingMessage,
  toCommunicatedSession,
} from '../outbound/create-message.ts';
import { consumeAutomaticQuota, getLimitRetryTime } from '../outbound/email-quota.ts';
import { refreshDrafts } from '../outbound/revalidate-lesson-reminder.ts';
import { sendOverdueReminders } from './overdue-reminders.ts';
import { pauseIfInactive } from './pause-reminders-of-inactive-tutor.ts';
import { getSettings, type Settings } from './reminder-settings.ts';
import {
  getRenderContext,
  type RenderContext,
  renderLessonReminder,
} from './render-lesson-reminder.ts';
import { filterReachable } from './unreachable-recipients.ts';

/** The longest lead time is two days; the third day is needed to find out when the next run is due. */
export const LOOKAHEAD_DAYS = 3;

/** Runs one transaction per tutor. */
export const sendDueReminders = (context: Context): Promise<void> =>
  forEachDueTutor(context, REMINDERS_WORK, (tutorId) => sendTutorReminders(context, tutorId));

/** Safe to repeat: messages are deduplicated by their key. */
export async function sendTutorReminders(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, REMINDERS_WORK);
    const settings = await getSettings(tx, tutorId);
    const tutor = await getTutorContact(tx, tutorId);
    const { timeZone, deletionScheduledAt } = tutor;
    // The job runs again by the next morning, to cover overdue reminders and lessons beyond the lookahead.
    const morning = nextMorning(timeZone, now);
    // Nothing is sent while the account is awaiting deletion; cancelling the deletion schedules an immediate run.
    if (deletionScheduledAt) return completeWork(tx, tutorId, REMINDERS_WORK, morning);
    // Corrections are sent even if reminders are turned off, because they depend only on what families were sent.
    if (settings.enabledAt === null) {
      const next = await sendCorrections(context, tx, tutorId, settings);
      const hasCommunications =
        (await findAnyCommunication(tx, tutorId).executeTakeFirst()) !== undefined;
      return completeWork(
        tx,
        tutorId,
        REMINDERS_WORK,
        hasCommunications ? earliest([next, morning]) : null,
      );
    }
    const { lessonReminders } = await getNotificationSettings(tx, tutorId);
    const planned = lessonReminders
      ? await planUpcomingReminders(tx, tutorId, settings, timeZone, now)
      : [];
    const isPaused = await pauseIfInactive(context, tx, tutorId, tutor);
    const dueNow = isPaused ? [] : planned.filter((reminder) => reminder.at <= now);
    const nextReminder = await createReminders(context, tx, tutorId, settings, dueNow);
    await refreshDrafts(context, tx, tutorId);
    const nextCorrection = await sendCorrections(context, tx, tutorId, settings);
    const nextOverdue = isPaused
      ? null
      : await sendOverdueReminders(context, tx, tutorId, settings);
    const nextPlanned = planned.find((reminder) => reminder.at > now)?.at ?? null;
    // The job checks again within an hour, so that due reminders are sent soon after the tutor returns.
    const nextCheck =
      isPaused && planned.some((reminder) => reminder.at <= now) ? getLimitRetryTime(now) : null;
    await completeWork(
      tx,
      tutorId,
      REMINDERS_WORK,
      earliest([nextReminder, nextCorrection, nextOverdue, nextPlanned, nextCheck, morning]),
    );
  });
}

/** Reminders whose time has passed wait for the end of the recipient's quiet hours, for example for a lesson added at night. */
export async function planUpcomingReminders(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  timeZone: string,
  now: Date,
): Promise<PlannedReminder[]> {
  const upcoming = await upcomingSessionsBetween(
    tx,
    tutorId,
    now,
    add24HourDays(now, LOOKAHEAD_DAYS),
  ).execute();
  return planReminders(upcoming, settings, timeZone)
    .map((reminder) => {
      const { at, person } = reminder;
      const recipientZone = person.timeZone ?? timeZone;
      return { ...reminder, at: at > now ? at : afterQuietHours(recipientZone, now) };
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

export const toReminderMessage = (
  renderContext: RenderContext,
  settings: Settings,
  { dedupeKey, person, channel, address, familyId, date, lessons }: PlannedReminder,
): OutgoingMessage & { kind: 'lesson_reminder' } => {
  const reader = toReader(person, renderContext.timeZone);
  return {
    dedupeKey,
    kind: 'lesson_reminder',
    lessonDate: date,
    automatic: true,
    channel,
    familyId,
    toName: person.name,
    address,
    timeZone: person.timeZone,
    ...renderLessonReminder(renderContext, settings, person, lessons),
    lessons: lessons.map((lesson) => toCommunicatedSession(person.key, lesson, reader)),
  };
};

/** Returns when to try again if some reminders must wait because of the email limits; otherwise null. */
async function createReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  due: readonly PlannedReminder[],
): Promise<Date | null> {
  if (due.length === 0) return null;
  const renderContext = await getRenderContext(context, tx, tutorId);
  const reachable = await filterReachable(tx, tutorId, 'lesson_reminder', due);
  const messages = reachable.map((reminder) =>
    toReminderMessage(renderContext, settings, reminder),
  );
  const quota = await consumeAutomaticQuota(context, tx, tutorId, messages, {
    countByAddress: false,
  });
  await createMessages(context, tx, tutorId, quota.allowed);
  return quota.isLimited ? getLimitRetryTime(context.clock.now()) : null;
}
