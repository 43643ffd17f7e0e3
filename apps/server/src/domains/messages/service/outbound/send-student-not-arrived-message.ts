import { CHANNELS, type Channel, type MessageState } from '@lessonbook/contract/messages';
import type {
  NotArrivedInput,
  NotArrivedStudent,
} from '@lessonbook/contract/student-not-arrived-messages';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { type MessageRecord, updateMessage } from '../../queries/messages.ts';
import { type MessageSession, sessionsByIds, sessionsForMessage } from '../../queries/sessions.ts';
import {
  lastNotArrivedMessages,
  type SentNotArrived,
} from '../../queries/student-not-arrived-messages.ts';
import { findBouncedAddresses, suppressionKey } from '../../queries/suppressions.ts';
import { missingAddressMessage } from '../../rules/cannot-send-texts.ts';
import type { Reader } from '../../rules/format-dates-and-lessons.ts';
import { addressOf, type Person, selectRecipients, toReader } from '../../rules/recipients.ts';
import { writeStudentNotArrivedMessage } from '../../rules/student-not-arrived-text.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { findOptedOutPhones } from '../whatsapp/eligibility.ts';
import { createMessages, type OutgoingMessage, toCommunicatedSession } from './create-message.ts';
import { consumeEmailQuota, findRecipientProblems } from './email-quota.ts';
import { failMessage } from './fail-message.ts';

/*
 * While a lesson is in progress, the tutor can message the main contact of a student who isn't there. Only one message is
 * possible for each lesson and student, unless it failed, is being retried or was dismissed. Quiet hours do not delay it.
 */

const NOT_IN_PROGRESS_MESSAGE = 'This can only be sent while the lesson is in progress.';
const NOT_ALL_SENT = "The messages couldn't all be sent. Please send them one at a time.";

/** Whether the message is still accurate: the lesson has not ended, and the student has not been marked as present. */
export async function isNotArrivedMessageCurrent(
  context: Context,
  tx: Tx,
  tutorId: string,
  messageId: number,
): Promise<boolean> {
  const now = context.clock.now();
  const seats = await sessionsForMessage(tx, tutorId, messageId).execute();
  return seats.some(
    ({ status, attendance, endsAt }) =>
      endsAt > now &&
      (status === 'scheduled' || (status === 'completed' && attendance === 'absent')),
  );
}

/** Fails a message that could not be sent in time, for example while the mail server was down. */
export async function failIfTooLate(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<boolean> {
  if (message.kind !== 'not_arrived') return false;
  if (await isNotArrivedMessageCurrent(context, tx, tutorId, message.id)) return false;
  const problem = "The email couldn't be delivered before the lesson ended.";
  await failMessage(context, tx, tutorId, message, problem);
  return true;
}

export async function previewNotArrived(
  context: Context,
  tutorId: string,
  sessionId: number,
): Promise<NotArrivedStudent[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const missing = await getMissing(context, tx, tutorId, sessionId);
    return missing.map(({ seat, person, channels, subject, text, sent }) => ({
      studentId: seat.studentId,
      studentName: seat.studentName,
      toName: person.name,
      channels,
      subject,
      text,
      sent: sent && {
        messageId: sent.messageId,
        channel: sent.channel as Channel,
        state: sent.state as MessageState,
        toName: sent.toName,
        at: sent.at.toISOString(),
        problem: sent.failureReason,
        canSendAgain: canSendAgain(sent),
      },
    }));
  });
}

const canSendAgain = ({ state, attempts }: SentNotArrived): boolean =>
  state === 'failed' || state === 'dismissed' || (state === 'waiting' && attempts > 0);

interface Missing {
  seat: MessageSession;
  person: Person;
  channels: NotArrivedStudent['channels'];
  reader: Reader;
  subject: string;
  text: string;
  sent: SentNotArrived | null;
}

/** The expected students, with the message for each of them. */
async function getMissing(
  context: Context,
  tx: Tx,
  tutorId: string,
  sessionId: number,
): Promise<Missing[]> {
  const now = context.clock.now();
  const rows = await sessionsByIds(tx, tutorId, [sessionId]).execute();
  if (rows.length === 0) throw new AppError('not_found', 'Session not found');
  const seats = rows.filter(
    ({ status, startsAt, endsAt }) => status === 'scheduled' && startsAt <= now && endsAt > now,
  );
  if (seats.length === 0) throw new AppError('conflict', NOT_IN_PROGRESS_MESSAGE);
  const settings = await getSettings(tx, tutorId);
  const { timeZone } = await getTutor(tx, tutorId);
  const signature = await getSignature(tx, tutorId);
  const last = await lastNotArrivedMessages(tx, tutorId, sessionId).execute();
  const sentByStudent = new Map(last.map((message) => [message.studentId, message]));
  const people = new Map(seats.map((seat) => [seat, getMainContact(seat)]));
  const findProblem = await findAddressProblems(context, tx, tutorId, [...people.values()]);
  return [...people].map(([seat, person]) => {
    const { channels: preferred } = seat.studentPreferences ?? settings;
    const channels = CHANNELS.map((channel) => ({
      channel,
      address: addressOf(person, channel),
      problem: findProblem(person, channel),
    }));
    const usesWhatsApp = preferred.includes('whatsapp');
    const rank = ({ channel, problem }: (typeof channels)[number]) =>
      (problem ? 2 : 0) + ((channel === 'whatsapp') === usesWhatsApp ? 0 : 1);
    const reader = toReader(person, timeZone);
    const to = { name: person.name, reader };
    return {
      seat,
      person,
      reader,
      channels: channels.toSorted((a, b) => rank(a) - rank(b)),
      ...writeStudentNotArrivedMessage(seat, to, { isGroup: seats.length > 1, signature }),
      sent: sentByStudent.get(seat.studentId) ?? null,
    };
  });
}

/** The carer, even if reminders go only to the student; the student if there is no carer. */
const getMainContact = (seat: MessageSession): Person =>
  selectRecipients(seat, 'carer')[0] as Person;

async function findAddressProblems(
  context: Context,
  tx: Tx,
  tutorId: string,
  people: readonly Person[],
): Promise<(person: Person, channel: Channel) => string | null> {
  const recipients = people.map(({ name, email }) => ({
    toName: name,
    channel: 'email' as const,
    address: email,
  }));
  const problems = await findRecipientProblems(context, tx, tutorId, recipients);
  const bounced = await findBouncedAddresses(
    tx,
    tutorId,
    recipients.flatMap((each) => (each.address ? { ...each, address: each.address } : [])),
  );
  const optedOut = await findOptedOutPhones(
    tx,
    people.flatMap(({ phone }) => phone ?? []),
  );
  return (person, channel) => {
    const address = addressOf(person, channel);
    if (!address) return missingAddressMessage({ toName: person.name, channel });
    if (channel === 'whatsapp') {
      return optedOut.has(address)
        ? `${person.name} replied STOP to WhatsApp messages. Please contact them another way.`
        : null;
    }
    if (bounced.has(suppressionKey({ channel, address }))) {
      return `Emails to ${address} can't be delivered. Please check the address.`;
    }
    const recipient = recipients[people.indexOf(person)];
    return (recipient && problems.get(recipient)) ?? null;
  };
}

/** Creates all the messages or none, so that the tutor knows who gets one. WhatsApp messages are drafts for the tutor to open. */
export async function sendNotArrived(
  context: Context,
  tutorId: string,
  sessionId: number,
  { messages: requested }: NotArrivedInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const missing = await getMissing(context, tx, tutorId, sessionId);
      const byStudent = new Map(missing.map((each) => [each.seat.studentId, each]));
      const outgoing = requested.map((message) => {
        const found = byStudent.get(message.studentId);
        if (!found) throw new AppError('conflict', "This student isn't expected in the lesson.");
        return toOutgoing(found, message);
      });
      const allowed = await consumeEmailQuota(context, tx, tutorId, outgoing);
      const ids = await createMessages(context, tx, tutorId, allowed);
      if (ids.length < outgoing.length) throw new AppError('conflict', NOT_ALL_SENT);
      for (const { studentId } of requested) {
        const replaced = byStudent.get(studentId)?.sent;
        // Neither the tutor nor a job that is still retrying may send the earlier message as well.
        if (replaced) await updateMessage(tx, tutorId, replaced.messageId, { state: 'dismissed' });
      }
      // From now on, the reminder job sends corrections if the lesson is moved.
      await scheduleWork(tx, tutorId, REMINDERS_WORK, now);
      await recordAudit(tx, tutorId, {
        action: 'not_arrived_sent',
        at: now,
        metadata: { students: outgoing.length },
      });
      return ids;
    }),
  );
}

function toOutgoing(
  { seat, person, reader, channels, sent, ...content }: Missing,
  message: NotArrivedInput['messages'][number],
): OutgoingMessage {
  if (sent && !(canSendAgain(sent) && message.replacesMessageId === sent.messageId)) {
    throw new AppError('conflict', formatAlreadySentMessage(sent));
  }
  const option = channels.find(({ channel }) => channel === message.channel);
  if (!option?.address || option.problem) {
    throw new AppError('conflict', option?.problem ?? 'Please choose how to send it.');
  }
  return {
    // Two concurrent requests get the same key, so the unique constraint accepts only one of them.
    dedupeKey: `not-arrived ${seat.id} ${seat.studentId} ${sent?.messageId ?? 0}`,
    kind: 'not_arrived',
    channel: message.channel,
    familyId: seat.familyId,
    toName: person.name,
    address: option.address,
    timeZone: person.timeZone,
    subject: message.subject || content.subject,
    text: message.text || content.text,
    lessons: [toCommunicatedSession(person.key, seat, reader)],
  };
}

function formatAlreadySentMessage(sent: SentNotArrived): string {
  if (canSendAgain(sent))
    return `The last message to ${sent.toName} wasn't sent. Please check it, then send it again.`;
  if (sent.state === 'waiting') return `The message to ${sent.toName} is on its way.`;
  return sent.state === 'draft' || sent.state === 'opened'
    ? `A WhatsApp message to ${sent.toName} is already waiting. You'll find it in Messages.`
    : `${sent.toName} has already been sent this message.`;
}
