import { dayNumber } from '@lessonbook/contract/dates';
import { addDaysToInstant, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import type { MessageRecord } from '../../queries/messages.ts';
import { overdueFamilies } from '../../queries/overdue-families.ts';
import { findSuppressionReason } from '../../queries/suppressions.ts';
import { isDaytime } from '../../rules/business-hours.ts';
import { createMessage } from '../outbound/create-message.ts';
import { renderPaymentReminder } from './payment-reminder.ts';
import { getSettings, type Settings } from './reminder-settings.ts';

/** How long reminders pause after a payer reports a transfer. */
const CLAIM_PAUSE_DAYS = 5;

const findOverdueFamilies = (tx: Tx, tutorId: string, today: string, now: Date) =>
  overdueFamilies(tx, tutorId, today, addDaysToInstant(now, -CLAIM_PAUSE_DAYS)).execute();

/**
 * Sends one reminder per step (days after the due date) and debt (identified by its oldest due date). Reminders stop once the
 * family has paid, because it is then no longer overdue.
 */
export async function sendOverdueReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<void> {
  const now = context.clock.now();
  const { timeZone } = await getTutor(tx, tutorId);
  if (!settings.overdueEnabled || !isDaytime(timeZone, now)) return;
  const today = dateInZone(timeZone, now);
  const overdue = await findOverdueFamilies(tx, tutorId, today, now);
  for (const { familyId, dueSince } of overdue) {
    const daysLate = dayNumber(today) - dayNumber(dueSince);
    const step = settings.overdueDays.findLast((days) => days <= daysLate);
    if (step === undefined) continue;
    for (const channel of settings.channels) {
      const content = await renderPaymentReminder(
        context,
        tx,
        tutorId,
        familyId,
        settings,
        channel,
      );
      if (!content?.address || (await findSuppressionReason(tx, tutorId, channel, content.address)))
        continue;
      await createMessage(context, tx, tutorId, {
        ...content,
        dedupeKey: `overdue ${familyId} ${dueSince} ${step} ${channel}`,
        kind: 'payment_reminder',
        automatic: true,
        familyId,
        address: content.address,
      });
    }
  }
}

/** Null if the family has since paid or reported a transfer; after a part payment the text states the remaining amount. */
export async function revalidatePaymentReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const now = context.clock.now();
  const { timeZone } = await getTutor(tx, tutorId);
  const overdue = await findOverdueFamilies(tx, tutorId, dateInZone(timeZone, now), now);
  const { familyId, channel } = message;
  if (familyId === null || !overdue.some((family) => family.familyId === familyId)) return null;
  const settings = await getSettings(tx, tutorId);
  const content = await renderPaymentReminder(context, tx, tutorId, familyId, settings, channel);
  return content && { ...message, subject: content.subject, text: content.text };
}
