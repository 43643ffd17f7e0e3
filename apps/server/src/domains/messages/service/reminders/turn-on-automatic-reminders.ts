import { type MessagePreview, NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import type { PlannedMessage, ReminderState } from '@lessonbook/contract/reminder-settings';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../../platform/db/tutor-scoped-ids.ts';
import { mapWithPauses } from '../../../../platform/map-with-pauses.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getNotificationSettings } from '../../../accounts/service/profile/read-tutor.ts';
import { canBePaid } from '../../../invoices/service/business-settings.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { existingDedupeKeys, insertMessages } from '../../queries/messages.ts';
import { fillReminderTemplate, renderTemplate } from '../../rules/whatsapp-templates.ts';
import type { OutgoingMessage } from '../outbound/create-message.ts';
import { findRecipientProblems } from '../outbound/email-quota.ts';
import { withPayLink } from '../outbound/pay-link-placeholder.ts';
import { filterEligibleAddresses } from '../whatsapp/eligibility.ts';
import { planOverdueReminders } from './overdue-reminders.ts';
import { getSettings, type Settings, saveSettings, toReminderState } from './reminder-settings.ts';
import { getRenderContext } from './render-lesson-reminder.ts';
import { LOOKAHEAD_DAYS, planUpcomingReminders, toReminderMessage } from './send-due-reminders.ts';
import { findUnreachable } from './unreachable-recipients.ts';

/** A message can contain dozens of lessons. */
const MESSAGES_BETWEEN_PAUSES = 5;

interface Planned {
  message: OutgoingMessage & Pick<PlannedMessage, 'kind'>;
  /** The text with the payment link filled in, or the text of the WhatsApp template. */
  previewText: string;
  at: Date;
  sessionIds: number[];
}

/** Everything that would be sent automatically over the next few days, in chronological order. */
async function planMessages(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<Planned[]> {
  const renderContext = await getRenderContext(context, tx, tutorId);
  const { lessonReminders } = await getNotificationSettings(tx, tutorId);
  const now = context.clock.now();
  const reminders = lessonReminders
    ? await planUpcomingReminders(tx, tutorId, settings, renderContext.timeZone, now)
    : [];
  const eligibleAddresses = await filterEligibleAddresses(
    context,
    tx,
    tutorId,
    reminders.flatMap(({ channel, address }) => (channel === 'whatsapp' ? address : [])),
  );
  const existing = await existingDedupeKeys(
    tx,
    tutorId,
    reminders.map(({ dedupeKey }) => dedupeKey),
  );
  const lessonMessages = await mapWithPauses(
    reminders.filter(({ dedupeKey }) => !existing.has(dedupeKey)),
    { every: MESSAGES_BETWEEN_PAUSES },
    (reminder): Planned => {
      const { channel, address, person, lessons, at } = reminder;
      // 'Tomorrow' is relative to the day on which the message is sent, not to the day of the preview.
      const contextWhenSent = { ...renderContext, today: dateInZone(renderContext.timeZone, at) };
      const message = toReminderMessage(contextWhenSent, settings, reminder);
      const isTemplate = channel === 'whatsapp' && eligibleAddresses.has(address);
      const previewText = isTemplate
        ? renderTemplate(fillReminderTemplate({ ...contextWhenSent, person }, lessons))
        : message.text;
      return { message, previewText, at, sessionIds: lessons.map(({ id }) => id) };
    },
  );
  const overdue = await planOverdueReminders(context, tx, tutorId, settings, LOOKAHEAD_DAYS);
  const paymentMessages = overdue.map(
    ({ at, linkKey, ...message }): Planned => ({
      message,
      previewText: withPayLink(context, message.text, { linkKey }),
      at,
      sessionIds: [],
    }),
  );
  return [...lessonMessages, ...paymentMessages].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
}

const UNREACHABLE_LABELS = {
  bounced: 'Emails to this address bounced. Please correct it.',
  stopped: 'They have unsubscribed from these reminders.',
};

/** Shown before the tutor turns reminders on. */
export async function previewReminders(
  context: Context,
  tutorId: string,
): Promise<PlannedMessage[]> {
  return context.db.wholeAccountSnapshot(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    const planned = await planMessages(context, tx, tutorId, settings);
    const messages = planned.map(({ message }) => message);
    const problems = await findRecipientProblems(context, tx, tutorId, messages);
    const canPay = await canBePaid(context, tx, tutorId);
    const filterByKind = (kind: string) => messages.filter((message) => message.kind === kind);
    const unreachable = new Map([
      ...(await findUnreachable(tx, tutorId, 'lesson_reminder', filterByKind('lesson_reminder'))),
      ...(await findUnreachable(tx, tutorId, 'payment_reminder', filterByKind('payment_reminder'))),
    ]);
    return planned.map(({ message, previewText, at, sessionIds }) => {
      const reason = unreachable.get(message);
      const { familyId, toName, channel, address, subject } = message;
      const preview: MessagePreview = {
        familyId,
        sessionIds,
        toName,
        channel,
        address,
        subject,
        text: previewText,
        at: at.toISOString(),
        problem:
          (message.kind === 'payment_reminder' && !canPay ? NO_PAYMENT_METHOD_MESSAGE : null) ??
          problems.get(message) ??
          (reason ? UNREACHABLE_LABELS[reason] : null),
      };
      return { ...preview, key: message.dedupeKey, kind: message.kind };
    });
  });
}

const EXCLUDED_TEXT = 'You left this message out when you turned reminders on.';

/** Turns automatic reminders on, except for the planned messages that the tutor excluded. */
export async function startReminders(
  context: Context,
  tutorId: string,
  excludedKeys: readonly string[],
): Promise<ReminderState> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    if (excludedKeys.length > 0) await skipExcluded(context, tx, tutorId, settings, excludedKeys);
    const started = { ...settings, enabledAt: settings.enabledAt ?? now };
    await saveSettings(tx, tutorId, started);
    await scheduleWork(tx, tutorId, REMINDERS_WORK, now);
    return toReminderState(context, started);
  });
}

/** Stores excluded messages as skipped, so that their dedupe keys prevent the reminder job from creating them. */
async function skipExcluded(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  excludedKeys: readonly string[],
): Promise<void> {
  const excluded = (await planMessages(context, tx, tutorId, settings))
    .map(({ message }) => message)
    .filter(({ dedupeKey }) => excludedKeys.includes(dedupeKey));
  if (excluded.length === 0) return;
  const ids = await nextIdsForKind(tx, tutorId, 'message', excluded.length);
  await insertMessages(
    tx,
    tutorId,
    excluded.map((message, index) => ({
      ...message,
      id: ids[index] as number,
      state: 'skipped' as const,
      failureReason: EXCLUDED_TEXT,
      automatic: true,
      timeZone: message.timeZone ?? null,
      lessonDate: message.lessonDate ?? null,
      invoiceId: null,
      paymentId: null,
      lessons: [],
      now: context.clock.now(),
    })),
  );
}
