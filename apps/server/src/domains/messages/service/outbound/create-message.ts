import { firstName } from '@lessonbook/contract/first-name';
import type { Channel, MessageKind } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../../platform/db/tutor-scoped-ids.ts';
import { addPublicLinks } from '../../../../platform/message-link-tokens.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { sendJobFor } from '../../job-types.ts';
import { type CommunicatedSession, insertMessages } from '../../queries/messages.ts';
import { formatLessonLine, type Reader } from '../../rules/format-dates-and-lessons.ts';
import type { UpcomingLesson } from '../../rules/reminder-plan.ts';
import { filterEligibleAddresses } from '../whatsapp/eligibility.ts';
import { withLinkPlaceholder } from './pay-link-placeholder.ts';
import { unsubscribeToken } from './unsubscribe-link.ts';

export interface OutgoingMessage {
  dedupeKey: string;
  kind: MessageKind;
  channel: Channel;
  familyId: number | null;
  toName: string;
  address: string;
  /** The recipient's time zone; null means the tutor's. */
  timeZone?: string | null;
  subject: string;
  text: string;
  /** Whether a job created the message from a template. A WhatsApp message is then sent if the recipient has consented. */
  automatic?: boolean;
  /** Whether the tutor reads the message before it is sent, even if it is an email. */
  isDraft?: boolean;
  /** The date of the lessons in a lesson reminder. */
  lessonDate?: string;
  lessons?: readonly CommunicatedSession[];
  invoiceId?: number;
  paymentId?: number;
}

/** What a message says about a session that takes place at its current time. */
export const toCommunicatedSession = (
  recipient: string,
  session: UpcomingLesson,
  reader: Reader,
): CommunicatedSession => ({
  recipient,
  sessionId: session.id,
  studentId: session.studentId,
  rootSessionId: session.rootSessionId,
  rootPublicId: session.rootPublicId,
  communicatedStartsAt: session.startsAt,
  sessionStartsAt: session.startsAt,
  sessionEndsAt: session.endsAt,
  studentName: firstName(session.studentName),
  summary: formatLessonLine({ ...session, place: null }, reader),
});

/** Returns the id, or null if a message with the same dedupe key already exists. */
export async function createMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: OutgoingMessage,
): Promise<number | null> {
  const [id = null] = await createMessages(context, tx, tutorId, [message]);
  return id;
}

/**
 * Inserts messages. Emails, and automatic WhatsApp messages to recipients who have consented, are enqueued in the same
 * transaction; all others become drafts in the outbox. Returns the ids of the inserted messages.
 */
export async function createMessages(
  context: Context,
  tx: Tx,
  tutorId: string,
  requested: readonly OutgoingMessage[],
): Promise<number[]> {
  const outgoing = await filterAllowed(tx, tutorId, requested);
  if (outgoing.length === 0) return [];
  const now = context.clock.now();
  const ids = await nextIdsForKind(tx, tutorId, 'message', outgoing.length);
  const eligibleAddresses = await filterEligibleAddresses(
    context,
    tx,
    tutorId,
    outgoing.flatMap(({ channel, automatic, address }) =>
      channel === 'whatsapp' && automatic ? address : [],
    ),
  );
  const isSentAutomatically = ({ channel, automatic, address, isDraft }: OutgoingMessage) =>
    !isDraft && (channel === 'email' || (automatic === true && eligibleAddresses.has(address)));
  const newMessages = outgoing.map((message, index) => ({
    ...message,
    text: hasPayLink(message) ? withLinkPlaceholder(context, message.text) : message.text,
    id: ids[index] as number,
    state: isSentAutomatically(message) ? ('waiting' as const) : ('draft' as const),
    failureReason: null,
    automatic: message.automatic ?? false,
    timeZone: message.timeZone ?? null,
    lessonDate: message.lessonDate ?? null,
    invoiceId: message.invoiceId ?? null,
    paymentId: message.paymentId ?? null,
    lessons: message.lessons ?? [],
    now,
  }));
  const inserted = new Set(await insertMessages(tx, tutorId, newMessages));
  const emails = newMessages.filter(
    (message) => inserted.has(message.id) && message.channel === 'email',
  );
  if (emails.length > 0) {
    await addPublicLinks(
      tx,
      emails.map((email) => ({
        tokenHash: sha256(unsubscribeToken(context, tutorId, email.address)),
        tutorId,
        kind: 'unsubscribe' as const,
        targetId: email.id,
        now,
      })),
    );
  }
  const enqueued = newMessages.filter(({ id, state }) => inserted.has(id) && state === 'waiting');
  for (const [job, messages] of Map.groupBy(enqueued, sendJobFor)) {
    await context.queue.enqueueAll(
      tx,
      job,
      messages.map(({ id }) => ({ tutorId, messageId: id })),
    );
  }
  return [...inserted];
}

const hasPayLink = ({ invoiceId, familyId }: OutgoingMessage): boolean =>
  invoiceId !== undefined || familyId !== null;

/** Throws if the tutor's address is unverified. Automatic emails are left out instead, so that a later run can create them. */
async function filterAllowed(
  tx: Tx,
  tutorId: string,
  requested: readonly OutgoingMessage[],
): Promise<readonly OutgoingMessage[]> {
  const isSentNow = ({ channel, isDraft }: OutgoingMessage) => channel === 'email' && !isDraft;
  if (!requested.some(isSentNow)) return requested;
  if (await canSendEmail(tx, tutorId)) return requested;
  const allowed = requested.filter((message) => !isSentNow(message) || !message.automatic);
  if (allowed.some(isSentNow)) throw emailNotVerifiedError();
  return allowed;
}

export async function canSendEmail(tx: Tx, tutorId: string): Promise<boolean> {
  const { emailVerified, isDemo } = await getTutorContact(tx, tutorId);
  return emailVerified || isDemo;
}

export async function assertEmailVerified(tx: Tx, tutorId: string): Promise<void> {
  if (!(await canSendEmail(tx, tutorId))) throw emailNotVerifiedError();
}

const emailNotVerifiedError = (): AppError =>
  new AppError('conflict', 'Please confirm your email address first, then try again.');
