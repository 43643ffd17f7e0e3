import type { Context } from '../../../context.ts';
import { isAnswered, refusalOf } from '../../../integrations/mail.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  asContact,
  type Contact,
  contactIn,
  contactReads,
} from '../../accounts/service/profile.ts';
import { type MessageRecord, messageById, toldBy, updateMessage } from '../queries/messages.ts';
import { type SessionInWords, sessionsOfMessage } from '../queries/sessions.ts';
import { suppress, suppressionOf, suppressionOfMessage } from '../queries/suppressions.ts';
import { stillOwed } from './chase.ts';
import { composeMail } from './compose.ts';
import { isCorrection } from './correct.ts';
import { notify } from './inbox.ts';
import { noteSent } from './note-sent.ts';
import { TRIES } from './send-job.ts';
import { makeWhatsAppReady, type ReadyForWhatsApp, sendByWhatsApp } from './send-whatsapp.ts';
import { compare, compareNow, stillTrue } from './still-true.ts';

/**
 * Sends one message, unless it went, was called off or became pointless meanwhile. The mail is sent outside any transaction
 * and noted afterwards: a crash in between sends it again under the same Message-ID, a crash before it loses nothing.
 */
export async function sendMessage(
  context: Context,
  { tutorId, messageId }: { tutorId: string; messageId: number },
  triesBefore = 0,
): Promise<void> {
  const ready =
    (await readyAsItStands(context, tutorId, messageId)) ??
    (await context.db.withTutor(tutorId, (tx) =>
      makeReady(context, tx, tutorId, messageId, triesBefore),
    ));
  if (!ready) return;
  if ('approved' in ready) return sendByWhatsApp(context, tutorId, ready);
  const { message, tutor, sessions } = ready;
  try {
    await context.mailer.send(await composeMail(context, tutorId, message, tutor, sessions));
  } catch (error) {
    const gaveUp = await context.db.withTutor(tutorId, (tx) =>
      noteFailure(context, tx, tutorId, message, error),
    );
    if (gaveUp) return;
    throw error;
  }
  await noteSent(context, tutorId, messageId);
}

interface Ready {
  message: MessageRecord;
  tutor: Contact;
  /** Its lessons, where they have been read already. */
  sessions?: SessionInWords[];
}

/**
 * A mail whose words are still true goes without a lock: in a rush of reminders nearly all do, and those of one tutor would
 * wait for each other. Null when there is anything to decide or to change.
 */
async function readyAsItStands(
  context: Context,
  tutorId: string,
  messageId: number,
): Promise<Ready | null> {
  const [[tutorRow], [entry], [message], [suppressed], told, sessions] = await context.db.readTutor(
    tutorId,
    (tx) => [
      ...contactReads(tx, tutorId),
      messageById(tx, tutorId, messageId),
      suppressionOfMessage(tx, tutorId, messageId),
      toldBy(tx, tutorId, messageId),
      sessionsOfMessage(tx, tutorId, messageId),
    ],
  );
  if (message?.state !== 'waiting' || message.channel !== 'email') return null;
  const tutor = asContact(tutorRow, entry);
  if (tutor.isDemo || tutor.leavingAt || (message.automatic && suppressed)) return null;
  if (message.automatic) {
    const isReminder = message.kind === 'lesson_reminder';
    const { coming, asTold } = compare(message, told, sessions, context.clock.now());
    if (!isReminder || !asTold || coming.length === 0) return null;
  }
  return { message: { ...message, attempts: message.attempts + 1 }, tutor, sessions };
}

/** Reads it again: what it says must still be true in the moment it goes. */
async function makeReady(
  context: Context,
  tx: Tx,
  tutorId: string,
  messageId: number,
  triesBefore: number,
): Promise<Ready | ReadyForWhatsApp | null> {
  const message = await messageById(tx, tutorId, messageId).executeTakeFirst();
  if (message?.state !== 'waiting') return null;
  const tutor = await contactIn(tx, tutorId);
  if (tutor.isDemo) {
    const problem = 'The demo sends nothing to the outside world.';
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  if (tutor.leavingAt && (message.automatic || isCorrection(message))) {
    const problem = 'Nothing goes by itself while your account waits to be deleted.';
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  if (message.channel === 'whatsapp') return makeWhatsAppReady(context, tx, tutorId, message);
  if (mayHaveGone(message, triesBefore) && !(await isAsSaid(context, tx, tutorId, message))) {
    // Not said again; whoever got it is told that it is no longer so.
    const problem = 'The lesson changed while this was on its way. Whoever got it is told.';
    const perhaps = message.sentAt ?? context.clock.now();
    await updateMessage(tx, tutorId, messageId, {
      state: 'skipped',
      failure_reason: problem,
      sent_at: perhaps,
    });
    return null;
  }
  const current = await asOfNow(context, tx, tutorId, message);
  if (current === null) {
    await updateMessage(tx, tutorId, messageId, { state: 'skipped' });
    return null;
  }
  const attempts = message.attempts + 1;
  const { subject, text } = current;
  await updateMessage(tx, tutorId, messageId, { subject, text });
  return { message: { ...current, attempts }, tutor };
}

/**
 * A try that was begun and left no note, or was cut off after the letter was handed over: perhaps it was taken. Tries that
 * the receiver refused are counted in the message.
 */
const mayHaveGone = ({ attempts, sentAt }: MessageRecord, triesBefore: number): boolean =>
  triesBefore > attempts || sentAt !== null;

/** A reminder about lessons whose words are still true; other messages are about nothing that could be corrected. */
async function isAsSaid(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<boolean> {
  if (!message.automatic || message.kind !== 'lesson_reminder') return true;
  return (await compareNow(context, tx, tutorId, message)).asTold;
}

/** What goes by itself must still be wanted and true; what the tutor wrote by hand goes as it was written. */
async function asOfNow(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  if (!message.automatic) return message;
  const check = message.kind === 'lesson_reminder' ? stillTrue : stillOwed;
  if (await suppressionOf(tx, tutorId, message.channel, message.address)) return null;
  return check(context, tx, tutorId, message);
}

/** True when there is no point in trying again. */
async function noteFailure(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  error: unknown,
): Promise<boolean> {
  const forGood = refusalOf(error) === 'for good';
  const now = context.clock.now();
  const { attempts } = message;
  if (!forGood && attempts < TRIES) {
    const perhaps = isAnswered(error) ? {} : { sent_at: now };
    await updateMessage(tx, tutorId, message.id, { attempts, ...perhaps });
    return false;
  }
  const problem = forGood
    ? 'The address does not take mail. Please check it, then try again.'
    : 'The mail could not be delivered for several hours. Please try again later.';
  const failed = { state: 'failed', failure_reason: problem, attempts, sent_at: null };
  await updateMessage(tx, tutorId, message.id, failed);
  if (forGood) {
    const { channel, address } = message;
    await suppress(tx, tutorId, { channel, address, reason: 'bounced', now });
  }
  await notify(context, tx, tutorId, {
    kind: 'message_failed',
    occasion: `message ${message.id} failed ${message.attempts}`,
    text: `A message to ${message.toName} could not be sent. ${problem}`,
    path: '/messages?show=sent',
    needsYou: true,
  });
  return true;
}
