import type { MessagePreview } from '@lessonbook/contract/messages';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  claimDue,
  completeWork,
  lockSchedule,
} from '../../../../platform/queue/tenant-schedule.ts';
import {
  getNotificationSettings,
  getTutor,
  getTutorContact,
} from '../../../accounts/service/profile/profile.ts';
import { upcomingBetween } from '../../queries/sessions.ts';
import { suppressedAmong, suppressionOf } from '../../queries/suppressions.ts';
import { nextMorning } from '../../rules/business-hours.ts';
import { type PlannedReminder, planReminders } from '../../rules/reminder-plan.ts';
import { fillReminderTemplate, renderTemplate } from '../../rules/whatsapp-templates.ts';
import { snapshotOf } from '../outbound/change-notice.ts';
import { sendCorrections } from '../outbound/corrections.ts';
import { createMessages } from '../outbound/create-message.ts';
import { refreshDrafts } from '../outbound/revalidate-message.ts';
import { filterAutoSendable } from '../whatsapp/eligibility.ts';
import { sendOverdueReminders } from './overdue-reminders.ts';
import { getSettings, REMINDERS, type Settings } from './reminder-settings.ts';
import { getRenderContext, renderReminder } from './render-reminder.ts';

const BATCH_SIZE = 50;
/** The longest lead is two days; a day more shows when to look again. */
const LOOKAHEAD_DAYS = 3;

/** Every minute: the tutors who have something due, a few at a time, each in a transaction of its own. */
export async function sendDueReminders(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) =>
      claimDue(tx, REMINDERS, clock.now(), BATCH_SIZE),
    );
    if (due.length === 0) return;
    for (const tutorId of due) await sendRemindersOrLog(context, tutorId);
  }
}

/** One book that cannot be read must not keep the others waiting; it comes round again. */
async function sendRemindersOrLog(context: Context, tutorId: string): Promise<void> {
  try {
    await sendRemindersOfTutor(context, tutorId);
  } catch (error) {
    context.log.error({ err: error }, 'the reminders of one tutor could not be looked at');
  }
}

/** Runs as often as it likes: what was said is known by its intent. */
export async function sendRemindersOfTutor(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockSchedule(tx, tutorId, REMINDERS);
    const settings = await getSettings(tx, tutorId);
    if (settings.enabledAt === null) return completeWork(tx, tutorId, REMINDERS, null);
    const { timeZone, deletionScheduledAt } = await getTutorContact(tx, tutorId);
    // Whoever leaves has nothing said to families any more; whoever stays after all is looked at at once.
    if (deletionScheduledAt)
      return completeWork(tx, tutorId, REMINDERS, nextMorning(timeZone, now));
    const { lessonReminders } = await getNotificationSettings(tx, tutorId);
    const planned = lessonReminders ? await planUpcoming(tx, tutorId, settings, timeZone, now) : [];
    await createReminders(
      context,
      tx,
      tutorId,
      settings,
      planned.filter((each) => each.at <= now),
    );
    await refreshDrafts(context, tx, tutorId);
    await sendCorrections(context, tx, tutorId, settings);
    await sendOverdueReminders(context, tx, tutorId, settings);
    const next = planned.find((each) => each.at > now)?.at;
    // Beyond what was looked at there may be more, and mornings are for chasing.
    const morning = nextMorning(timeZone, now);
    await completeWork(tx, tutorId, REMINDERS, next && next < morning ? next : morning);
  });
}

async function planUpcoming(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  timeZone: string,
  now: Date,
): Promise<PlannedReminder[]> {
  const coming = await upcomingBetween(tx, tutorId, now, addDays(now, LOOKAHEAD_DAYS)).execute();
  return planReminders(coming, settings, timeZone);
}

async function createReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  due: readonly PlannedReminder[],
): Promise<void> {
  if (due.length === 0) return;
  const stopped = await suppressedAmong(tx, tutorId, due);
  const today = await getRenderContext(context, tx, tutorId);
  await createMessages(
    context,
    tx,
    tutorId,
    due
      .filter((each) => !stopped.has(`${each.channel} ${each.address.toLowerCase()}`))
      .map(({ dedupeKey, person, channel, address, familyId, lessons }) => ({
        dedupeKey,
        kind: 'lesson_reminder' as const,
        automatic: true,
        channel,
        familyId,
        toName: person.name,
        address,
        ...renderReminder(today, settings, person, lessons),
        lessons: lessons.map((lesson) => snapshotOf(lesson, lesson)),
      })),
  );
}

/** What would go out in the next days: shown before the tutor presses 'Start reminders'. */
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
    const planned = await planUpcoming(tx, tutorId, settings, timeZone, now);
    const numbers = planned.filter((each) => each.channel === 'whatsapp');
    const going = await filterAutoSendable(
      context,
      tx,
      tutorId,
      numbers.map((each) => each.address),
    );
    const to = await getRenderContext(context, tx, tutorId);
    for (const reminder of planned) {
      const { person, channel, address, familyId, lessons, at } = reminder;
      const stopped = await suppressionOf(tx, tutorId, channel, address);
      previews.push({
        familyId,
        sessionIds: lessons.map((lesson) => lesson.id),
        toName: person.name,
        channel,
        address,
        ...renderReminder(to, settings, person, lessons),
        ...(channel === 'whatsapp' && going.has(address)
          ? { text: renderTemplate(fillReminderTemplate({ ...to, name: person.name }, lessons)) }
          : {}),
        at: (at > now ? at : now).toISOString(),
        problem: stopped ? (SUPPRESSION_LABELS[stopped] ?? null) : null,
      });
    }
    return previews;
  });
}

const SUPPRESSION_LABELS: Record<string, string> = {
  bounced: 'Mail to this address came back. Please correct it.',
  unsubscribed: 'They asked for no more reminders.',
};
