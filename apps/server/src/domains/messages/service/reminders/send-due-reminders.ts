import type { MessagePreview } from '@lessonbook/contract/messages';
import { addDaysToInstant } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { forEachDueTutor } from '../../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockSchedule } from '../../../../platform/queue/tenant-schedule.ts';
import {
  getNotificationSettings,
  getTutor,
  getTutorContact,
} from '../../../accounts/service/profile/read-tutor.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { firstCommunication } from '../../queries/session-communications.ts';
import { upcomingSessionsBetween } from '../../queries/sessions.ts';
import {
  findSuppressedAddresses,
  findSuppressionReason,
  suppressionKey,
} from '../../queries/suppressions.ts';
import { nextMorning } from '../../rules/business-hours.ts';
import { type PlannedReminder, planReminders } from '../../rules/reminder-plan.ts';
import { fillReminderTemplate, renderTemplate } from '../../rules/whatsapp-templates.ts';
import { sendCorrections } from '../outbound/corrections.ts';
import { createMessages, toCommunicatedSession } from '../outbound/create-message.ts';
import { consumeAutomaticQuota, findRecipientProblems } from '../outbound/email-quota.ts';
import { refreshDrafts } from '../outbound/revalidate-lesson-reminder.ts';
import { filterEligibleAddresses } from '../whatsapp/eligibility.ts';
import { sendOverdueReminders } from './overdue-reminders.ts';
import { getSettings, type Settings } from './reminder-settings.ts';
import { getRenderContext, renderLessonReminder } from './render-lesson-reminder.ts';

/** The longest lead time is two days; the third day is needed to find out when the next run is due. */
const LOOKAHEAD_DAYS = 3;
const LIMITED_RETRY_MS = 3_600_000;

/** Runs one transaction per tutor. */
export const sendDueReminders = (context: Context): Promise<void> =>
  forEachDueTutor(context, REMINDERS_WORK, (tutorId) => sendTutorReminders(context, tutorId));

/** Safe to repeat: messages are deduplicated by their key. */
export async function sendTutorReminders(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockSchedule(tx, tutorId, REMINDERS_WORK);
    const settings = await getSettings(tx, tutorId);
    const { timeZone, deletionScheduledAt } = await getTutorContact(tx, tutorId);
    // Nothing is sent while the account is awaiting deletion; cancelling the deletion schedules an immediate run.
    if (deletionScheduledAt) {
      return completeWork(tx, tutorId, REMINDERS_WORK, nextMorning(timeZone, now));
    }
    // Corrections depend on what families were sent, not on the reminder settings.
    if (settings.enabledAt === null) {
      const isLimited = await sendCorrections(context, tx, tutorId, settings);
      const hasCommunications =
        (await firstCommunication(tx, tutorId).executeTakeFirst()) !== undefined;
      return completeWork(
        tx,
        tutorId,
        REMINDERS_WORK,
        hasCommunications ? nextRun(timeZone, now, isLimited) : null,
      );
    }
    const { lessonReminders } = await getNotificationSettings(tx, tutorId);
    const planned = lessonReminders
      ? await planUpcomingReminders(tx, tutorId, settings, timeZone, now)
      : [];
    const dueNow = planned.filter((reminder) => reminder.at <= now);
    const areRemindersLimited = await createReminders(context, tx, tutorId, settings, dueNow);
    await refreshDrafts(context, tx, tutorId);
    const areCorrectionsLimited = await sendCorrections(context, tx, tutorId, settings);
    const areOverdueLimited = await sendOverdueReminders(context, tx, tutorId, settings);
    const isLimited = areRemindersLimited || areCorrectionsLimited || areOverdueLimited;
    const next = planned.find((reminder) => reminder.at > now)?.at;
    const latest = nextRun(timeZone, now, isLimited);
    await completeWork(tx, tutorId, REMINDERS_WORK, next && next < latest ? next : latest);
  });
}

/**
 * The next morning at the latest, to cover overdue reminders and lessons beyond the lookahead. Within an hour if messages have
 * to wait because of the email limits.
 */
function nextRun(timeZone: string, now: Date, isLimited: boolean): Date {
  const morning = nextMorning(timeZone, now);
  const retryAt = new Date(now.getTime() + LIMITED_RETRY_MS);
  return isLimited && retryAt < morning ? retryAt : morning;
}

async function planUpcomingReminders(
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
    addDaysToInstant(now, LOOKAHEAD_DAYS),
  ).execute();
  return planReminders(upcoming, settings, timeZone);
}

/** Returns true if some have to wait because of the email limits. */
async function createReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  due: readonly PlannedReminder[],
): Promise<boolean> {
  if (due.length === 0) return false;
  const suppressed = await findSuppressedAddresses(tx, tutorId, due);
  const renderContext = await getRenderContext(context, tx, tutorId);
  const messages = due
    .filter((reminder) => !suppressed.has(suppressionKey(reminder)))
    .map(({ dedupeKey, person, channel, address, familyId, date, lessons }) => ({
      dedupeKey,
      kind: 'lesson_reminder' as const,
      lessonDate: date,
      automatic: true,
      channel,
      familyId,
      toName: person.name,
      address,
      ...renderLessonReminder(renderContext, settings, person, lessons),
      lessons: lessons.map((lesson) => toCommunicatedSession(person.key, lesson)),
    }));
  const quota = await consumeAutomaticQuota(context, tx, tutorId, messages, {
    countByAddress: false,
  });
  await createMessages(context, tx, tutorId, quota.allowed);
  return quota.isLimited;
}

/** Shown before the tutor turns reminders on: what would be sent over the next few days. */
export async function previewReminders(
  context: Context,
  tutorId: string,
): Promise<MessagePreview[]> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    const { timeZone } = await getTutor(tx, tutorId);
    const previews: MessagePreview[] = [];
    if (!(await getNotificationSettings(tx, tutorId)).lessonReminders) return previews;
    const planned = await planUpcomingReminders(tx, tutorId, settings, timeZone, now);
    const whatsAppReminders = planned.filter((reminder) => reminder.channel === 'whatsapp');
    const eligibleAddresses = await filterEligibleAddresses(
      context,
      tx,
      tutorId,
      whatsAppReminders.map((reminder) => reminder.address),
    );
    const renderContext = await getRenderContext(context, tx, tutorId);
    const recipients = new Map(
      planned.map((reminder) => [reminder, { ...reminder, toName: reminder.person.name }]),
    );
    const problems = await findRecipientProblems(context, tx, tutorId, [...recipients.values()]);
    for (const [reminder, recipient] of recipients) {
      const { person, channel, address, familyId, lessons, at } = reminder;
      const suppression = await findSuppressionReason(tx, tutorId, channel, address);
      previews.push({
        familyId,
        sessionIds: lessons.map((lesson) => lesson.id),
        toName: person.name,
        channel,
        address,
        ...renderLessonReminder(renderContext, settings, person, lessons),
        ...(channel === 'whatsapp' && eligibleAddresses.has(address)
          ? {
              text: renderTemplate(
                fillReminderTemplate({ ...renderContext, name: person.name }, lessons),
              ),
            }
          : {}),
        at: (at > now ? at : now).toISOString(),
        problem: problems.get(recipient) ?? SUPPRESSION_LABELS[suppression ?? ''] ?? null,
      });
    }
    return previews;
  });
}

const SUPPRESSION_LABELS: Record<string, string> = {
  bounced: 'Mail to this address came back. Please correct it.',
  unsubscribed: 'They asked for no more reminders.',
};
