import { firstName } from '@lessonbook/contract/first-name';
import type { LessonStart } from '@lessonbook/contract/move-requests';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTimeZone } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { findContactRecipient } from '../../queries/contact-recipient.ts';
import type { Reader } from '../../rules/format-dates-and-lessons.ts';
import {
  describeForReader,
  describeForTutor,
  describeMoveRequest,
  formatForReader,
  formatForTutor,
  type MovedLesson,
  whoseLesson,
} from '../../rules/move-request-text.ts';
import { sendNoticeIfPossible } from '../outbound/change-notice.ts';
import { sendIfPossible } from '../outbound/payment-updates.ts';
import { notify } from './notifications.ts';

/* Families' requests to move lessons: notifications for the tutor, and emails to the contact who asked. */

interface MoveRequestFacts extends MovedLesson {
  tutorId: string;
  requestId: number;
  contactId: number;
  contactName: string;
  sessionId: number;
}

async function getToday({ clock }: Context, tx: Tx, tutorId: string): Promise<string> {
  return dateInZone(await getTimeZone(tx, tutorId), clock.now());
}

/** Stays open until the tutor has answered. */
export async function onMoveRequested(
  context: Context,
  tx: Tx,
  request: MoveRequestFacts & { choices: readonly LessonStart[] },
): Promise<void> {
  const { tutorId, requestId, contactName, sessionId, choices } = request;
  const today = await getToday(context, tx, tutorId);
  await notify(context, tx, tutorId, {
    kind: 'move_requested',
    dedupeKey: `move requested ${requestId}`,
    text: describeMoveRequest(contactName, request, choices, today),
    path: `/sessions/${sessionId}`,
    requiresAction: true,
    targetId: requestId,
  });
}

/**
 * The family gets the same notice as for any other change to the lesson. If the contact who asked does not get that notice,
 * the tutor's answer is emailed to them.
 */
export async function onMoveRequestAccepted(
  context: Context,
  tx: Tx,
  request: MoveRequestFacts & {
    to: LessonStart;
    toSessionId: number;
    acceptedBy: 'tutor' | 'family';
  },
): Promise<void> {
  const { tutorId, requestId, contactName, to, toSessionId } = request;
  const addresses = await sendNoticeIfPossible(context, tx, tutorId, toSessionId);
  if (request.acceptedBy === 'family') {
    const today = await getToday(context, tx, tutorId);
    await notify(context, tx, tutorId, {
      kind: 'move_requested',
      dedupeKey: `move accepted ${requestId}`,
      text: `${contactName} accepted your suggestion: ${request.studentName}'s lesson has been moved from ${formatForTutor(request, today)} to ${formatForTutor(to, today)}.`,
      path: `/sessions/${toSessionId}`,
      requiresAction: false,
    });
    return;
  }
  await emailContact(context, tx, request, 'accepted', (today, reader) => ({
    subject: `Lesson moved to ${formatForReader(to, today, reader)}`,
    paragraphs: [
      `As you asked, ${describeForReader(request, today, reader)} has been moved to ${formatForReader(to, today, reader)}.`,
    ],
    exceptTo: addresses,
  }));
}

export async function onTimesSuggested(
  context: Context,
  tx: Tx,
  request: MoveRequestFacts & { suggestions: readonly LessonStart[]; answer: string | null },
): Promise<void> {
  const { suggestions, answer } = request;
  await emailContact(context, tx, request, 'suggested', (today, reader) => ({
    subject: `Other times for ${describeForReader(request, today, reader)}`,
    paragraphs: [
      `You asked to move ${describeForReader(request, today, reader)}. ${suggestions.length === 1 ? 'Would this time suit you?' : 'Would one of these times suit you?'}`,
      suggestions.map((start) => formatForReader(start, today, reader)).join('\n'),
      answer,
      `The lesson stays as it is until you ${suggestions.length === 1 ? 'accept' : 'choose one'}. You can reply here: ${context.config.origin}/family`,
    ],
  }));
}

export async function onMoveRequestDeclined(
  context: Context,
  tx: Tx,
  request: MoveRequestFacts & { answer: string | null },
): Promise<void> {
  await emailContact(context, tx, request, 'declined', (today, reader) => ({
    subject: `${capitalize(describeForReader(request, today, reader))} stays as it is`,
    paragraphs: [
      `You asked to move ${describeForReader(request, today, reader)}. Sorry, I can't move it, so it stays as it is.`,
      request.answer,
    ],
  }));
}

export async function onSuggestionsDeclined(
  context: Context,
  tx: Tx,
  request: MoveRequestFacts,
): Promise<void> {
  const { tutorId, requestId, contactName, studentName, sessionId } = request;
  const today = await getToday(context, tx, tutorId);
  await notify(context, tx, tutorId, {
    kind: 'move_requested',
    dedupeKey: `suggestions declined ${requestId}`,
    text: `${contactName} declined the times you suggested. ${studentName}'s lesson stays on ${formatForTutor(request, today)}.`,
    path: `/sessions/${sessionId}`,
    requiresAction: false,
  });
}

export async function onMoveRequestExpired(
  context: Context,
  tx: Tx,
  request: MoveRequestFacts,
): Promise<void> {
  const { tutorId, requestId, sessionId } = request;
  const today = await getToday(context, tx, tutorId);
  await notify(context, tx, tutorId, {
    kind: 'move_requested',
    dedupeKey: `move request expired ${requestId}`,
    text: `The request to move ${describeForTutor(request, today)} is closed because the lesson has started.`,
    path: `/sessions/${sessionId}`,
    requiresAction: false,
  });
  await emailContact(context, tx, request, 'expired', (date, reader) => ({
    subject: `Your request to move ${whoseLesson(request, reader)} is closed`,
    paragraphs: [
      `The request to move ${describeForReader(request, date, reader)} is closed because the lesson has started.`,
    ],
  }));
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Sends nothing to contacts who may no longer see the student's lessons, or to addresses in `exceptTo`. */
async function emailContact(
  context: Context,
  tx: Tx,
  { tutorId, requestId, contactId, studentId }: MoveRequestFacts,
  outcome: string,
  write: (
    today: string,
    reader: Reader,
  ) => { subject: string; paragraphs: (string | null)[]; exceptTo?: readonly string[] },
): Promise<void> {
  const contact = await findContactRecipient(tx, tutorId, contactId, studentId);
  if (!contact) return;
  const tutorTimeZone = await getTimeZone(tx, tutorId);
  const reader: Reader = {
    studentId: contact.ownStudentId,
    timeZone: contact.timeZone ?? tutorTimeZone,
    tutorTimeZone,
  };
  const today = dateInZone(tutorTimeZone, context.clock.now());
  const { subject, paragraphs, exceptTo = [] } = write(today, reader);
  if (exceptTo.some((address) => address.toLowerCase() === contact.email.toLowerCase())) return;
  const text = [
    `Hi ${firstName(contact.name)},`,
    ...paragraphs.filter(Boolean),
    await getSignature(tx, tutorId),
  ];
  await sendIfPossible(context, tx, tutorId, {
    kind: 'custom',
    channel: 'email',
    familyId: contact.familyId,
    toName: contact.name,
    address: contact.email,
    timeZone: contact.timeZone,
    subject,
    text: text.join('\n\n'),
    dedupeKey: `move request ${requestId} ${outcome}`,
  });
}
