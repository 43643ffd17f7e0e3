import type { Channel, Message, MessageKind, MessageState } from '@lessonbook/contract/messages';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { sendJobFor } from '../../job-types.ts';
import { currentAddress } from '../../queries/current-address.ts';
import { type LogQuery, messageLog, messagesToSend } from '../../queries/message-lists.ts';
import {
  type MessageRecord,
  messageById,
  messagesByIds,
  updateMessage,
} from '../../queries/messages.ts';
import { hasOptedOutOfReminders } from '../../queries/reminder-opt-outs.ts';
import { liftBounceSuppression } from '../../queries/suppressions.ts';
import { optedOutMessage } from '../../rules/cannot-send-texts.ts';
import { isReminderKind } from '../../rules/reminder-kinds.ts';
import { whatsAppUrl } from '../../rules/whatsapp-number-and-link.ts';
import { isStillCurrent } from './find-pending-change-notices.ts';
import { withPayLink } from './pay-link-placeholder.ts';
import { isNotArrivedMessageCurrent } from './send-student-not-arrived-message.ts';

export function toMessage(context: Context, record: MessageRecord): Message {
  const text = withPayLink(context, record.text, record);
  const openUrl = record.channel === 'whatsapp' ? whatsAppUrl(record.address, text) : null;
  const isWhatsAppNumberInvalid = record.channel === 'whatsapp' && openUrl === null;
  return {
    id: record.id,
    kind: record.kind as MessageKind,
    channel: record.channel as Channel,
    state: record.state as MessageState,
    familyId: record.familyId,
    invoiceId: record.invoiceId,
    paymentId: record.paymentId,
    toName: record.toName,
    address: record.address,
    subject: record.subject,
    text,
    createdAt: record.createdAt.toISOString(),
    // For waiting and skipped messages, sentAt is the time of an unconfirmed attempt to send.
    sentAt: /^(waiting|skipped)$/.test(record.state)
      ? null
      : (record.sentAt?.toISOString() ?? null),
    sentBy: record.isSentAutomatically ? 'automatic' : 'tutor',
    isMarkedAsSent: record.isMarkedAsSent,
    problem: isWhatsAppNumberInvalid
      ? "WhatsApp can't use this number. Please enter it like +44 7700 900456, without the first 0 or an extension."
      : record.failureReason,
    openUrl,
  };
}

export async function listMessages(
  context: Context,
  tutorId: string,
  { days, ...query }: Omit<LogQuery, 'since'> & { days?: number | undefined },
): Promise<Message[]> {
  const since = days === undefined ? null : add24HourDays(context.clock.now(), -days);
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    messageLog(tx, tutorId, { ...query, since }),
  ]);
  return rows.map((row) => toMessage(context, row));
}

/** The messages that are waiting for the tutor: drafts, and those that could not be sent. */
export async function listOutbox(context: Context, tutorId: string): Promise<Message[]> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [messagesToSend(tx, tutorId)]);
  return rows.map((row) => toMessage(context, row));
}

export async function readMessages(
  context: Context,
  tutorId: string,
  ids: readonly number[],
): Promise<Message[]> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [messagesByIds(tx, tutorId, ids)]);
  return rows.map((row) => toMessage(context, row));
}

export async function readMessage(context: Context, tutorId: string, id: number): Promise<Message> {
  const [message] = await readMessages(context, tutorId, [id]);
  if (!message) throw messageNotFound();
  return message;
}

const messageNotFound = (): AppError => new AppError('not_found', 'Message not found');

export async function getMessageOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<MessageRecord> {
  const message = await messageById(tx, tutorId, id).executeTakeFirst();
  if (!message) throw messageNotFound();
  return message;
}

export const isInOutbox = (message: MessageRecord): boolean =>
  message.state === 'draft' || message.state === 'opened';

/** Records that the draft was opened in the tutor's WhatsApp. We cannot detect whether it was then sent. */
export async function markOpened(context: Context, tutorId: string, id: number): Promise<Message> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await getMessageOrThrow(tx, tutorId, id);
    if (!isInOutbox(message) || message.channel === 'email') throw notInOutboxError();
    await assertStillCurrent(context, tx, tutorId, message);
    await assertNotOptedOut(tx, tutorId, message);
    await updateMessage(tx, tutorId, id, { state: 'opened' });
    return toMessage(context, { ...message, state: 'opened' });
  });
}

export const notInOutboxError = (): AppError =>
  new AppError('conflict', 'This message is no longer waiting to be sent.');

export async function resolveDraft(
  context: Context,
  tutorId: string,
  id: number,
  outcome: 'sent' | 'not_yet' | 'dismissed',
): Promise<Message> {
  const now = context.clock.now();
  const state = outcome === 'not_yet' ? 'draft' : outcome;
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await getMessageOrThrow(tx, tutorId, id);
    const isDismissedFailure = message.state === 'failed' && outcome === 'dismissed';
    if (!isInOutbox(message) && !isDismissedFailure) throw notInOutboxError();
    if (outcome === 'sent' && message.channel === 'email')
      throw new AppError('conflict', 'Please send this email from Lessonbook.');
    // An opened draft may have been sent before the lesson changed.
    if (outcome === 'sent' && message.state === 'draft') {
      await assertStillCurrent(context, tx, tutorId, message);
    }
    const sentAt = outcome === 'sent' ? now : null;
    await updateMessage(tx, tutorId, id, { state, sent_at: sentAt });
    return toMessage(context, await getMessageOrThrow(tx, tutorId, id));
  });
}

/** An outdated change notice would arrive after newer messages and contradict them. */
async function assertStillCurrent(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<void> {
  if (
    message.kind === 'not_arrived' &&
    !(await isNotArrivedMessageCurrent(context, tx, tutorId, message.id))
  ) {
    throw new AppError(
      'conflict',
      'This message is out of date: the lesson is over, or its status has changed.',
    );
  }
  if (message.kind !== 'lesson_change' || (await isStillCurrent(tx, tutorId, message.id))) return;
  throw new AppError(
    'conflict',
    'The lesson has changed since this message was written. Please send a new one from the lesson.',
  );
}

/** Throws if the recipient has opted out of these reminders since the message was created. */
async function assertNotOptedOut(tx: Tx, tutorId: string, message: MessageRecord): Promise<void> {
  const { kind, address, toName } = message;
  if (isReminderKind(kind) && (await hasOptedOutOfReminders(tx, tutorId, kind, address))) {
    throw new AppError('conflict', optedOutMessage(toName, kind));
  }
}

/**
 * Sends a failed message again, to the recipient's current address. If that address was suppressed because it bounced, the
 * suppression is lifted.
 */
export async function retryMessage(
  context: Context,
  tutorId: string,
  id: number,
  idempotencyKey: IdempotencyKey | null,
): Promise<Message> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, () =>
      retryFailedMessage(context, tx, tutorId, id),
    ),
  );
  return readMessage(context, tutorId, id);
}

async function retryFailedMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<number> {
  const message = await getMessageOrThrow(tx, tutorId, id);
  if (message.state !== 'failed') {
    throw new AppError('conflict', "Only a message that couldn't be sent can be sent again.");
  }
  await assertStillCurrent(context, tx, tutorId, message);
  const address = (await currentAddress(tx, tutorId, message)) ?? message.address;
  await assertNotOptedOut(tx, tutorId, { ...message, address });
  await liftBounceSuppression(tx, tutorId, message.channel, address);
  await updateMessage(tx, tutorId, id, {
    state: 'waiting',
    address,
    attempts: 0,
    failure_reason: null,
  });
  await context.queue.enqueue(tx, sendJobFor(message), { tutorId, messageId: id });
  return id;
}
