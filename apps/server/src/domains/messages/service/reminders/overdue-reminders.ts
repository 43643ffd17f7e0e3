import { addDaysToDate, dayNumber } from '@lessonbook/contract/dates';
import type { Channel } from '@lessonbook/contract/messages';
import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { mapWithPauses } from '../../../../platform/map-with-pauses.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { canBePaid } from '../../../invoices/service/business-settings.ts';
import { getAccountStatements } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { existingDedupeKeys, type MessageRecord } from '../../queries/messages.ts';
import { type OverdueFamily, overdueFamilies } from '../../queries/overdue-families.ts';
import { getOrCompute } from '../../rules/get-or-compute.ts';
import { earliest } from '../../rules/quiet-hours.ts';
import { morningOf, nextSendingTime } from '../../rules/sending-hours.ts';
import { notify } from '../notifications/notifications.ts';
import { createMessages, type OutgoingMessage } from '../outbound/create-message.ts';
import { consumeAutomaticQuota, getLimitRetryTime } from '../outbound/email-quota.ts';
import { loadAndRenderPaymentReminder, renderPaymentReminder } from './payment-reminder.ts';
import { getSettings, type Settings } from './reminder-settings.ts';
import { getRenderContext } from './render-lesson-reminder.ts';
import { filterReachable } from './unreachable-recipients.ts';

const REMINDERS_BETWEEN_PAUSES = 20;

/** How long reminders pause after a payer reports a transfer. */
const CLAIM_PAUSE_DAYS = 5;

export const findOverdueFamilies = (
  tx: Tx,
  tutorId: string,
  today: string,
  now: Date,
  familyId?: number,
): Promise<OverdueFamily[]> => {
  return overdueFamilies(tx, tutorId, today, getPauseCutOff(now), familyId).execute();
};

/** Reminders have resumed for families that reported a transfer before this time. */
const getPauseCutOff = (now: Date): Date => add24HourDays(now, -CLAIM_PAUSE_DAYS);

interface DueReminder {
  familyId: number;
  channel: Channel;
  dedupeKey: string;
  /** The earliest time in the tutor's daytime. The recipient's daytime may start later. */
  from: Date;
}

export type PlannedOverdueReminder = OutgoingMessage & {
  kind: 'payment_reminder';
  at: Date;
  linkKey: string;
};

/**
 * Sends one reminder per step (days after the due date) and debt (identified by its oldest due date), in the recipient's
 * daytime. Reminders stop once the family has paid, because it is then no longer overdue. The number of SQL statements does
 * not depend on the number of families. Returns when to run again for reminders that must wait; null if none must wait.
 */
export async function sendOverdueReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<Date | null> {
  const now = context.clock.now();
  const planned = await planOverdueReminders(context, tx, tutorId, settings, 0);
  const due = await filterReachable(
    tx,
    tutorId,
    'payment_reminder',
    planned.filter(({ at }) => at <= now),
  );
  const canPay = due.length === 0 || (await canBePaid(context, tx, tutorId));
  if (!canPay) await notifyMissingPaymentDetails(context, tx, tutorId);
  const quota = await consumeAutomaticQuota(context, tx, tutorId, canPay ? due : [], {
    countByAddress: false,
  });
  await createMessages(context, tx, tutorId, quota.allowed);
  return earliest([
    ...planned.flatMap(({ at }) => (at > now ? at : [])),
    quota.isLimited ? getLimitRetryTime(now) : null,
  ]);
}

/** Notifies the tutor at most once a month, even if the last notification was marked as done. */
async function notifyMissingPaymentDetails(
  context: Context,
  tx: Tx,
  tutorId: string,
): Promise<void> {
  const { timeZone } = await getTutor(tx, tutorId);
  const month = dateInZone(timeZone, context.clock.now()).slice(0, 7);
  await notify(context, tx, tutorId, {
    kind: 'payment_details_missing',
    dedupeKey: `payment details missing ${month}`,
    text: "Families can't pay you yet, so payment reminders aren't sent. Add your bank details, card payments or another way to pay.",
    path: '/settings/business',
    requiresAction: true,
  });
}

/** The reminders due between today and `daysAhead` days later that have not been created yet. */
export async function planOverdueReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  daysAhead: number,
): Promise<PlannedOverdueReminder[]> {
  if (!settings.overdueEnabled) return [];
  const now = context.clock.now();
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, now);
  const days = Array.from({ length: daysAhead + 1 }, (_, day) => {
    const date = addDaysToDate(today, day);
    return { date, from: day === 0 ? now : morningOf(timeZone, date) };
  });
  const last = days.at(-1) ?? { date: today, from: now };
  const families = await findOverdueFamilies(tx, tutorId, last.date, last.from);
  const reminders = new Map<string, DueReminder>();
  for (const { date, from } of days) {
    for (const family of families) {
      const { dueSince, transferClaimedAt } = family;
      const isPaused = transferClaimedAt !== null && transferClaimedAt >= getPauseCutOff(from);
      if (dueSince >= date || isPaused) continue;
      for (const reminder of listRemindersFor(family, settings, date)) {
        const { dedupeKey } = reminder;
        if (!reminders.has(dedupeKey)) reminders.set(dedupeKey, { ...reminder, from });
      }
    }
  }
  const existing = await existingDedupeKeys(tx, tutorId, [...reminders.keys()]);
  const due = [...reminders.values()].filter(({ dedupeKey }) => !existing.has(dedupeKey));
  return due.length === 0 ? [] : renderReminders(context, tx, tutorId, settings, due);
}

function listRemindersFor(
  family: OverdueFamily,
  settings: Settings,
  today: string,
): Omit<DueReminder, 'from'>[] {
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

async function renderReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  due: readonly DueReminder[],
): Promise<PlannedOverdueReminder[]> {
  const renderContext = await getRenderContext(context, tx, tutorId);
  const accounts = await getAccountStatements(tx, tutorId, [
    ...new Set(due.map(({ familyId }) => familyId)),
  ]);
  const sendingTimes = new Map<string, Date>();
  const reminders = await mapWithPauses(
    due,
    { every: REMINDERS_BETWEEN_PAUSES },
    ({ familyId, channel, dedupeKey, from }): PlannedOverdueReminder[] => {
      const account = accounts.get(familyId);
      const content = account && renderPaymentReminder(renderContext, account, settings, channel);
      if (!content?.address) return [];
      const timeZone = content.timeZone ?? renderContext.timeZone;
      const at = getOrCompute(sendingTimes, `${timeZone} ${from.getTime()}`, () =>
        nextSendingTime(timeZone, from),
      );
      return [
        {
          ...content,
          address: content.address,
          familyId,
          dedupeKey,
          kind: 'payment_reminder',
          automatic: true,
          at,
        },
      ];
    },
  );
  return reminders.flat();
}

/** Null if the family has since paid or reported a transfer. After a part payment, the text states the remaining amount. */
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
