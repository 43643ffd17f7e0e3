import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { MessageRecord } from '../../queries/messages.ts';
import { sessionsForMessage } from '../../queries/sessions.ts';
import {
  type FilledTemplate,
  fillPaymentTemplate,
  fillReminderTemplate,
} from '../../rules/whatsapp-templates.ts';
import { reminderRecipient, revalidateReminder } from '../outbound/revalidate-lesson-reminder.ts';
import { revalidatePaymentReminder } from '../reminders/overdue-reminders.ts';
import {
  getOutstandingSummary,
  loadAndRenderPaymentReminder,
} from '../reminders/payment-reminder.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { getRenderContext, renderLessonReminder } from '../reminders/render-lesson-reminder.ts';

export interface WhatsAppContent {
  /** The template message that is sent through the WhatsApp API. */
  filledTemplate: FilledTemplate;
  /** The text of the draft in the outbox. */
  subject: string;
  text: string;
}

/** The current content of an automatic message; null if its lessons are over or cancelled, or nothing is owed. */
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
  const upcoming = await sessionsForMessage(tx, tutorId, message.id).execute();
  const renderContext = await getRenderContext(context, tx, tutorId);
  const person = reminderRecipient(message);
  const settings = await getSettings(tx, tutorId);
  return {
    filledTemplate: fillReminderTemplate({ ...renderContext, person }, upcoming),
    ...renderLessonReminder(renderContext, settings, person, upcoming),
  };
}

async function renderWhatsAppPaymentReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<WhatsAppContent | null> {
  const outstanding = await getOutstandingSummary(context, tx, tutorId, familyId);
  const settings = await getSettings(tx, tutorId);
  const content = await loadAndRenderPaymentReminder(
    context,
    tx,
    tutorId,
    familyId,
    settings,
    'whatsapp',
  );
  if (!outstanding || !content) return null;
  const { subject, text } = content;
  return { filledTemplate: fillPaymentTemplate(outstanding), subject, text };
}
