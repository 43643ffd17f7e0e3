import { dayNumber } from '@lessonbook/contract/dates';
import type { Channel } from '@lessonbook/contract/messages';
import { addDaysToInstant, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { canBePaid } from '../../../invoices/service/business-settings.ts';
import { getAccountStatements } from '../../../payments/service/account-statement.ts';
import { existingDedupeKeys, type MessageRecord } from '../../queries/messages.ts';
import { type OverdueFamily, overdueFamilies } from '../../queries/overdue-families.ts';
import { findSuppressedAddresses, suppressionKey } from '../../queries/suppressions.ts';
import { isDaytime } from '../../rules/business-hours.ts';
import { notify } from '../notifications/notifications.ts';
import { createMessages } from '../outbound/create-message.ts';
import { consumeAutomaticQuota } from '../outbound/email-quota.ts';
import { loadAndRenderPaymentReminder, renderPaymentReminder } from './payment-reminder.ts';
import { getSettings, type Settings } from './reminder-settings.ts';
import { getRenderContext } from './render-lesson-reminder.ts';

/** How long reminders pause after a payer reports a transfer. */
const CLAIM_PAUSE_DAYS = 5;

const findOverdueFamilies = (
  tx: Tx,
  tutorId: string,
  today: string,
  now: Date,
  familyId?: number,
): Promise<OverdueFamily[]> => {
  const claimedBefore = addDaysToInstant(now, -CLAIM_PAUSE_DAYS);
  return overdueFamilies(tx, tutorId, today, claimedBefore, familyId).execute();
};

interface DueReminder {
  familyId: number;
  channel: Channel;
  dedupeKey: string;
}

/**
 * Sends one reminder per step (days after the due date) and debt (identified by its oldest due date). Reminders stop once the
 * family has paid, because it is then no longer overdue. The number of statements does not depend on the number of families.
 * Returns true if some have to wait because of the email limits.
 */
export async function sendOverdueReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<boolean> {
  const now = context.clock.now();
  const { timeZone } = await getTutor(tx, tutorId);
  if (!settings.overdueEnabled || !isDaytime(timeZone, now)) return false;
  const today = dateInZone(timeZone, now);
  const overdue = await findOverdueFamilies(tx, tutorId, today, now);
  const reminders = overdue.flatMap((family) => remindersFor(family, settings, today));
  const existing = await existingDedupeKeys(
    tx,
    tutorId,
    reminders.map(({ dedupeKey }) => dedupeKey),
  );
  const due = reminders.filter(({ dedupeKey }) => !existing.has(dedupeKey));
  if (due.length === 0) return false;
  if (await canBePaid(context, tx, tutorId))
    return createReminders(context, tx, tutorId, settings, due);
  await notify(context, tx, tutorId, {
    kind: 'payment_details_missing',
    dedupeKey: 'payment details missing',
    text: "Families can't pay you yet, so payment reminders aren't sent. Add your bank details, card payments or another way to pay.",
    path: '/settings/business',
    requiresAction: true,
  });
  return false;
}

function remindersFor(family: OverdueFamily, settings: Settings, today: string): DueReminder[] {
  const { familyId, dueSince } = family;
  const daysLate = dayNumber(today) - dayNumber(dueSince);
  const step = settings.overdueDays.findLast((days) => days <= daysLate);
  if (step === undefined) return [];
  return settings.channels.map((channel) => ({
    familyId,
    channel: channel as Channel,
    dedupeKey: `overdue ${familyId} ${dueSince} ${step} ${channel}`,
  }));
}

async function createReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  due: readonly DueReminder[],
): Promise<boolean> {
  const renderContext = await getRenderContext(context, tx, tutorId);
  const accounts = await getAccountStatements(tx, tutorId, [
    ...new Set(due.map(({ familyId }) => familyId)),
  ]);
  const messages = due.flatMap(({ familyId, channel, dedupeKey }) => {
    const account = accounts.get(familyId);
    const content = account && renderPaymentReminder(renderContext, account, settings, channel);
    if (!content?.address) return [];
    const { address } = content;
    const kind = 'payment_reminder' as const;
    return [{ ...content, address, familyId, dedupeKey, kind, automatic: true }];
  });
  const suppressed = await findSuppressedAddresses(tx, tutorId, messages);
  const quota = await consumeAutomaticQuota(
    context,
    tx,
    tutorId,
    messages.filter((message) => !suppressed.has(suppressionKey(message))),
    { countByAddress: false },
  );
  await createMessages(context, tx, tutorId, quota.allowed);
  return quota.isLimited;
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
  const { familyId, channel } = message;
  if (familyId === null) return null;
  const today = dateInZone(timeZone, now);
  if ((await findOverdueFamilies(tx, tutorId, today, now, familyId)).length === 0) return null;
  const settings = await getSettings(tx, tutorId);
  const content = await loadAndRenderPaymentReminder(
    context,
    tx,
    tutorId,
    familyId,
    settings,
    channel,
  );
  return content && { ...message, subject: content.subject, text: content.text };
}
