import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/profile.ts';
import type { MessageRecord } from '../../queries/messages.ts';
import { sessionsOfMessage } from '../../queries/sessions.ts';
import {
  type FilledTemplate,
  fillPaymentTemplate,
  fillReminderTemplate,
} from '../../rules/whatsapp-templates.ts';
import { revalidateReminder } from '../outbound/revalidate-message.ts';
import { revalidatePaymentReminder } from '../reminders/overdue-reminders.ts';
import { readOutstanding, renderPaymentReminder } from '../reminders/payment-reminder.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { loadAndRenderReminder } from '../reminders/render-reminder.ts';

export interface WhatsAppContent {
  /** As WhatsApp sends it by itself. */
  approved: FilledTemplate;
  /** As the tutor would, from the tray. */
  subject: string;
  text: string;
}

/** What an automatic message has to say in this moment; none when its lessons are off or over, or all is paid. */
export async function renderWhatsAppMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<WhatsAppContent | null> {
  if (message.kind === 'lesson_reminder')
    return renderWhatsAppReminder(context, tx, tutorId, message);
  if (message.kind === 'payment_reminder' && message.familyId !== null) {
    if ((await revalidatePaymentReminder(context, tx, tutorId, message)) === null) return null;
    return renderWhatsAppPaymentReminder(context, tx, tutorId, message.familyId);
  }
  return null;
}

async function renderWhatsAppReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<WhatsAppContent | null> {
  if ((await revalidateReminder(context, tx, tutorId, message)) === null) return null;
  const now = context.clock.now();
  const coming = await sessionsOfMessage(tx, tutorId, message.id).execute();
  const { name: tutor, timeZone } = await getTutor(tx, tutorId);
  const to = { name: message.toName, tutor, today: dateInZone(timeZone, now) };
  const settings = await getSettings(tx, tutorId);
  return {
    approved: fillReminderTemplate(to, coming),
    ...(await loadAndRenderReminder(context, tx, tutorId, settings, to, coming)),
  };
}

async function renderWhatsAppPaymentReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<WhatsAppContent | null> {
  const owed = await readOutstanding(context, tx, tutorId, familyId);
  const settings = await getSettings(tx, tutorId);
  const own = await renderPaymentReminder(context, tx, tutorId, familyId, settings, 'whatsapp');
  if (!owed || !own) return null;
  const { subject, text } = own;
  return { approved: fillPaymentTemplate(owed), subject, text };
}
