import type { Context } from '../../../../context.ts';
import { classifySmtpError, hasSmtpResponse } from '../../../../integrations/mail.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  getTutorContact,
  type TutorContact,
  toTutorContact,
  tutorContactQueries,
} from '../../../accounts/service/profile/read-tutor.ts';
import { sendJobFor } from '../../job-types.ts';
import {
  type CommunicatedSessionRecord,
  communicatedSessions,
  type MessageRecord,
  messageById,
  updateMessage,
} from '../../queries/messages.ts';
import { reportForMessage } from '../../queries/recipient-reports-of-unwanted-email.ts';
import { hasOptedOutOfReminders } from '../../queries/reminder-opt-outs.ts';
import { sessionsForMessage } from '../../queries/sessions.ts';
import { hasBounced, suppressBounced, suppressionsForMessage } from '../../queries/suppressions.ts';
import { optedOutMessage, reportedMessage } from '../../rules/cannot-send-texts.ts';
import { afterQuietHours, isQuiet, isUrgent } from '../../rules/quiet-hours.ts';
import { isReminderKind } from '../../rules/reminder-kinds.ts';
import { revalidatePaymentReminder } from '../reminders/overdue-reminders.ts';
import { type PreparedWhatsApp, prepareWhatsApp, sendWhatsApp } from '../whatsapp/send-whatsapp.ts';
import { composeEmail } from './compose-email.ts';
import { isCorrection } from './correct-outdated-messages.ts';
import { failMessage } from './fail-message.ts';
import { isStillCurrent } from './find-pending-change-notices.ts';
import type { MessageLessons } from './ics-attachments.ts';
import { markSentInBatch } from './mark-emails-sent-in-batches.ts';
import { queueCorrectionAfterSending } from './queue-correction-after-sending.ts';
import {
  compareWithSessions,
  loadAndCompareSessions,
  revalidateReminder,
} from './revalidate-lesson-reminder.ts';
import { isRetriedNotice, isRetryStillAllowed } from './revalidate-retried-change-notice.ts';
import { revalidateNoteEmail } from './send-lesson-note-emails.ts';
import { failIfTooLate } from './send-student-not-arrived-message.ts';

const BOUNCED_TEXT = "Emails to this address can't be delivered. Please check it, then try again.";
const TOO_LATE_TEXT = "The email couldn't be delivered before the lesson.";

/**
 * Sends one message, unless it has been sent, cancelled or made obsolete in the meantime. The email is sent outside any
 * transaction and marked as sent afterwards; after a crash in between, it is sent again with the same Message-ID.
 */
export async function sendMessage(
  context: Context,
  { tutorId, messageId }: { tutorId: string; messageId: number },
  previousAttempts = 0,
): Promise<void> {
  const prepared =
    (await prepareUnlocked(context, tutorId, messageId, previousAttempts)) ??
    (await context.db.tutorTransaction(tutorId, (tx) =>
      prepareLocked(context, tx, tutorId, messageId, previousAttempts),
    ));
  if (!prepared) return;
  if ('filledTemplate' in prepared) return sendWhatsApp(context, tutorId, prepared);
  const { message, tutor, lessons } = prepared;
  // Outside the try block, because nothing has been sent if this fails.
  const email = await composeEmail(context, tutorId, message, tutor, lessons);
  try {
    await context.mailer.send(email);
  } catch (error) {
    const isFinal = await context.db.tutorTransaction(tutorId, (tx) =>
      recordFailure(context, tx, tutorId, message, error),
    );
    if (isFinal) return;
    throw error;
  }
  await markSentInBatch(context, tutorId, messageId);
}

interface PreparedEmail {
  message: MessageRecord;
  tutor: TutorContact;
  /** Set if the lessons are already loaded. */
  lessons?: MessageLessons;
}

/**
 * Prepares an email without taking the tutor's lock, so that a batch of reminders does not queue for the lock. Returns null
 * if the message may have to be changed or skipped.
 */
async function prepareUnlocked(
  context: Context,
  tutorId: string,
  messageId: number,
  previousAttempts: number,
): Promise<PreparedEmail | null> {
  const [[tutorRow], [directoryRow], [message], suppressions, communicated, sessions] =
    await context.db.tutorRead(tutorId, (tx) => [
      ...tutorContactQueries(tx, tutorId),
      messageById(tx, tutorId, messageId),
      suppressionsForMessage(tx, tutorId, messageId),
      communicatedSessions(tx, tutorId, messageId),
      sessionsForMessage(tx, tutorId, messageId),
    ]);
  if (message?.state !== 'waiting' || message.channel !== 'email') return null;
  const tutor = toTutorContact(tutorRow, directoryRow);
  if (tutor.isDemo || tutor.deletionScheduledAt || isBlocked(message, suppressions)) return null;
  if (getQuietHoursEnd(message, communicated, tutor.timeZone, context.clock.now())) return null;
  if (message.kind === 'not_arrived' || isRetriedNotice(message, previousAttempts)) return null;
  if (message.automatic) {
    const isReminder = message.kind === 'lesson_reminder';
    const now = context.clock.now();
    const { upcoming, isAccurate } = compareWithSessions(message, communicated, sessions, now);
    if (!isReminder || !isAccurate || upcoming.length === 0) return null;
  }
  const lessons = { communicated, sessions };
  return { message: { ...message, attempts: message.attempts + 1 }, tutor, lessons };
}

/** Reads the message again while holding the tutor's lock, so that its content is accurate when it is sent. */
async function prepareLocked(
  context: Context,
  tx: Tx,
  tutorId: string,
  messageId: number,
  previousAttempts: number,
): Promise<PreparedEmail | PreparedWhatsApp | null> {
  const message = await messageById(tx, tutorId, messageId).executeTakeFirst();
  if (message?.state !== 'waiting') return null;
  const tutor = await getTutorContact(tx, tutorId);
  if (tutor.isDemo) {
    const problem = "The demo doesn't send messages.";
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  if (tutor.deletionScheduledAt && (message.automatic || isCorrection(message))) {
    const problem = 'Automatic messages are paused while your account is scheduled for deletion.';
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  if (
    isReminderKind(message.kind) &&
    (await hasOptedOutOfReminders(tx, tutorId, message.kind, message.address))
  ) {
    const problem = optedOutMessage(message.toName, message.kind);
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  const communicated = await communicatedSessions(tx, tutorId, messageId).execute();
  const waitUntil = getQuietHoursEnd(message, communicated, tutor.timeZone, context.clock.now());
  if (waitUntil) {
    // The new job does not know about an earlier attempt that may have delivered the message.
    if (mayHaveBeenSent(message, previousAttempts)) {
      await updateMessage(tx, tutorId, messageId, {
        sent_at: message.sentAt ?? context.clock.now(),
      });
    }
    const afterSeconds = Math.ceil((waitUntil.getTime() - context.clock.now().getTime()) / 1000);
    await context.queue.enqueue(tx, sendJobFor(message), { tutorId, messageId }, { afterSeconds });
    return null;
  }
  if (message.channel === 'whatsapp') return prepareWhatsApp(context, tx, tutorId, message);
  if (
    mayHaveBeenSent(message, previousAttempts) &&
    !(await isStillAccurate(context, tx, tutorId, message))
  ) {
    // The message is not sent again, because it may have been delivered. The recipient gets a correction instead.
    const problem = 'The lesson changed while this was being sent. A correction will follow.';
    const possiblySentAt = message.sentAt ?? context.clock.now();
    await updateMessage(tx, tutorId, messageId, {
      state: 'skipped',
      failure_reason: problem,
      sent_at: possiblySentAt,
    });
    await queueCorrectionAfterSending(context, tx, tutorId, [messageId]);
    return null;
  }
  if (
    isRetriedNotice(message, previousAttempts) &&
    !(await isRetryStillAllowed(tx, tutorId, message, context.clock.now()))
  ) {
    const problem = 'The lesson changed before this could be sent.';
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  if (await failIfTooLate(context, tx, tutorId, message)) return null;
  if (await reportForMessage(tx, tutorId, messageId).executeTakeFirst()) {
    const problem = reportedMessage(message);
    await updateMessage(tx, tutorId, messageId, { state: 'skipped', failure_reason: problem });
    return null;
  }
  const current = await revalidate(context, tx, tutorId, message);
  if (current === null) {
    if (await hasMissedLesson(context, tx, tutorId, message)) {
      await failMessage(context, tx, tutorId, message, TOO_LATE_TEXT);
    } else {
      await updateMessage(tx, tutorId, messageId, { state: 'skipped' });
    }
    return null;
  }
  const attempts = message.attempts + 1;
  await updateMessage(tx, tutorId, messageId, { subject: current.subject, text: current.text });
  return { message: { ...current, attempts }, tutor };
}

/**
 * An attempt that crashed or lost its connection before the response may have delivered the message. `attempts` counts only
 * recorded failures, so after a crash it is lower than the job's own count.
 */
const mayHaveBeenSent = ({ attempts, sentAt }: MessageRecord, previousAttempts: number): boolean =>
  previousAttempts > attempts || sentAt !== null;

/** Only messages about lessons can become inaccurate and be corrected. */
async function isStillAccurate(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<boolean> {
  if (message.kind === 'lesson_change') return isStillCurrent(tx, tutorId, message.id);
  if (!message.automatic || message.kind !== 'lesson_reminder') return true;
  return (await loadAndCompareSessions(context, tx, tutorId, message)).isAccurate;
}

/** A bounced address blocks only automatic messages; an opt-out or a report blocks all messages. */
const isBlocked = (
  { automatic }: MessageRecord,
  suppressions: readonly { reason: string }[],
): boolean => suppressions.some(({ reason }) => automatic || reason !== 'bounced');

/**
 * When to send an automatic reminder, correction or payment update that would arrive in the recipient's quiet hours, for
 * example after failed attempts; null if it can be sent now. Changes to lessons before noon the next day cannot wait.
 */
function getQuietHoursEnd(
  message: MessageRecord,
  communicated: readonly CommunicatedSessionRecord[],
  tutorTimeZone: string,
  now: Date,
): Date | null {
  const isAutomaticReminder = message.automatic && isReminderKind(message.kind);
  const isAutomatic =
    isAutomaticReminder || isCorrection(message) || message.kind === 'payment_update';
  if (!isAutomatic) return null;
  const timeZone = message.timeZone ?? tutorTimeZone;
  const isAffectedSoon = communicated.some(
    ({ sessionStartsAt }) => sessionStartsAt !== null && isUrgent(timeZone, sessionStartsAt, now),
  );
  // A correction created during the quiet hours is urgent, for example because its lesson was moved away from the next morning.
  const isUrgentCorrection = isAffectedSoon || isQuiet(timeZone, message.createdAt);
  if (isCorrection(message) && isUrgentCorrection) return null;
  const until = afterQuietHours(timeZone, now);
  return until > now ? until : null;
}

/** True if earlier attempts failed and one of the reminder's lessons has started in the meantime. */
async function hasMissedLesson(
  context: Context,
  tx: Tx,
  tutorId: string,
  { id, kind, attempts }: MessageRecord,
): Promise<boolean> {
  if (attempts === 0 || kind !== 'lesson_reminder') return false;
  const sessions = await sessionsForMessage(tx, tutorId, id).execute();
  const now = context.clock.now();
  return sessions.some(({ status, startsAt }) => status === 'scheduled' && startsAt <= now);
}

/** Automatic messages must still be enabled and accurate; messages written by the tutor are sent unchanged. */
async function revalidate(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  if (!message.automatic) return message;
  if (await hasBounced(tx, tutorId, message.channel, message.address)) return null;
  if (message.kind === 'lesson_notes') return revalidateNoteEmail(context, tx, tutorId, message);
  const check = message.kind === 'lesson_reminder' ? revalidateReminder : revalidatePaymentReminder;
  return check(context, tx, tutorId, message);
}

/** Returns true if the message will not be retried. */
async function recordFailure(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  error: unknown,
): Promise<boolean> {
  const now = context.clock.now();
  const { attempts, channel, address } = message;
  if (classifySmtpError(error) !== 'permanent') {
    const sentAtChange = hasSmtpResponse(error) ? {} : { sent_at: now };
    await updateMessage(tx, tutorId, message.id, { attempts, ...sentAtChange });
    return false;
  }
  await suppressBounced(tx, tutorId, { channel, address, now });
  await failMessage(context, tx, tutorId, message, BOUNCED_TEXT);
  return true;
}
