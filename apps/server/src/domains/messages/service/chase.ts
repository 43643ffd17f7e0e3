import { dayNumber } from '@lessonbook/contract/dates';
import { addDays, dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import type { MessageRecord } from '../queries/messages.ts';
import { overdueFamilies } from '../queries/overdue.ts';
import { suppressionOf } from '../queries/suppressions.ts';
import { isDaytime } from '../rules/morning.ts';
import { addMessage } from './add-message.ts';
import { paymentWords } from './payment-reminder.ts';
import { type Settings, settingsIn } from './settings.ts';

/** A payer who said that a transfer is on its way is left alone for this long. */
const CLAIM_DAYS = 5;

const overdueAt = (tx: Tx, tutorId: string, today: string, now: Date) =>
  overdueFamilies(tx, tutorId, today, addDays(now, -CLAIM_DAYS)).execute();

/**
 * Asks for what is overdue, once for each step and debt: the step is the number of days after the due date, the debt is known
 * by its oldest date. Whoever has paid is no longer found, so it stops by itself.
 */
export async function chaseOverdue(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<void> {
  const now = context.clock.now();
  const { timeZone } = await tutorOf(tx, tutorId);
  if (!settings.chase || !isDaytime(timeZone, now)) return;
  const today = dateIn(timeZone, now);
  const overdue = await overdueAt(tx, tutorId, today, now);
  for (const { familyId, dueSince } of overdue) {
    const late = dayNumber(today) - dayNumber(dueSince);
    const step = settings.chaseDays.findLast((days) => days <= late);
    if (step === undefined) continue;
    for (const channel of settings.channels) {
      const words = await paymentWords(context, tx, tutorId, familyId, settings, channel);
      if (!words?.address || (await suppressionOf(tx, tutorId, channel, words.address))) continue;
      await addMessage(context, tx, tutorId, {
        ...words,
        intent: `chase ${familyId} ${dueSince} ${step} ${channel}`,
        kind: 'payment_reminder',
        automatic: true,
        familyId,
        address: words.address,
      });
    }
  }
}

/** Whoever paid, or said so, while the message waited is not asked; whoever paid a part is asked for the rest. */
export async function stillOwed(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const now = context.clock.now();
  const { timeZone } = await tutorOf(tx, tutorId);
  const overdue = await overdueAt(tx, tutorId, dateIn(timeZone, now), now);
  const { familyId, channel } = message;
  if (familyId === null || !overdue.some((each) => each.familyId === familyId)) return null;
  const settings = await settingsIn(tx, tutorId);
  const words = await paymentWords(context, tx, tutorId, familyId, settings, channel);
  return words && { ...message, subject: words.subject, text: words.text };
}
