import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import type { MessageRecord } from '../queries/messages.ts';
import { sessionsOfMessage } from '../queries/sessions.ts';
import {
  type ApprovedWords,
  approvedPaymentReminder,
  approvedReminder,
} from '../rules/approved.ts';
import { stillOwed } from './chase.ts';
import { owedBy, paymentWords } from './payment-reminder.ts';
import { reminderWords } from './reminder-words.ts';
import { settingsIn } from './settings.ts';
import { stillTrue } from './still-true.ts';

export interface WordsNow {
  /** As WhatsApp sends it by itself. */
  approved: ApprovedWords;
  /** As the tutor would, from the tray. */
  subject: string;
  text: string;
}

/** What an automatic message has to say in this moment; none when its lessons are off or over, or all is paid. */
export async function wordsNow(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<WordsNow | null> {
  if (message.kind === 'lesson_reminder') return lessonsNow(context, tx, tutorId, message);
  if (message.kind === 'payment_reminder' && message.familyId !== null) {
    if ((await stillOwed(context, tx, tutorId, message)) === null) return null;
    return paymentNow(context, tx, tutorId, message.familyId);
  }
  return null;
}

async function lessonsNow(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<WordsNow | null> {
  if ((await stillTrue(context, tx, tutorId, message)) === null) return null;
  const now = context.clock.now();
  const coming = await sessionsOfMessage(tx, tutorId, message.id).execute();
  const { name: tutor, timeZone } = await tutorOf(tx, tutorId);
  const to = { name: message.toName, tutor, today: dateIn(timeZone, now) };
  const settings = await settingsIn(tx, tutorId);
  return {
    approved: approvedReminder(to, coming),
    ...(await reminderWords(context, tx, tutorId, settings, to, coming)),
  };
}

async function paymentNow(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<WordsNow | null> {
  const owed = await owedBy(context, tx, tutorId, familyId);
  const settings = await settingsIn(tx, tutorId);
  const own = await paymentWords(context, tx, tutorId, familyId, settings, 'whatsapp');
  if (!owed || !own) return null;
  const { subject, text } = own;
  return { approved: approvedPaymentReminder(owed), subject, text };
}
