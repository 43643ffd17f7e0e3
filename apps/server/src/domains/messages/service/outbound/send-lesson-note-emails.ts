import { add24HourDays, dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { forEachDueTutor } from '../../../../platform/queue/for-each-due-tutor.ts';
import {
  completeWork,
  lockScheduledWork,
  scheduleWork,
} from '../../../../platform/queue/tenant-schedule.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { NOTE_EMAILS_WORK } from '../../job-types.ts';
import {
  insertNoteEmails,
  type NoteForContact,
  noteEmailHour,
  notesOfEmail,
  notesToEmail,
} from '../../queries/lesson-note-emails.ts';
import { existingDedupeKeys, type MessageRecord } from '../../queries/messages.ts';
import { writeNoteEmail } from '../../rules/lesson-note-email-text.ts';
import { earliest } from '../../rules/quiet-hours.ts';
import { nextLocalHour } from '../../rules/sending-hours.ts';
import { filterReachable } from '../reminders/unreachable-recipients.ts';
import { createMessages, type OutgoingMessage } from './create-message.ts';
import { consumeAutomaticQuota, getLimitRetryTime } from './email-quota.ts';

/*
 * One email per contact and day, at the hour chosen by the tutor, with the notes shared since the last email.
 */

/** Older notes are not emailed, for example when the portal is opened, because contacts can read them in the portal. */
const MAX_AGE_DAYS = 7;
const MAX_NOTES = 2000;

/** Schedules the emails for the next time at the hour chosen by the tutor. */
export async function scheduleNoteEmails(context: Context, tx: Tx, tutorId: string): Promise<void> {
  const next = await getNextEmailTime(tx, tutorId, context.clock.now());
  if (next) await scheduleWork(tx, tutorId, NOTE_EMAILS_WORK, next);
}

/** Null if the tutor has turned these emails off. */
async function getNextEmailTime(tx: Tx, tutorId: string, now: Date): Promise<Date | null> {
  const [{ timeZone }, row] = [
    await getTutorContact(tx, tutorId),
    await noteEmailHour(tx, tutorId).executeTakeFirst(),
  ];
  return row && row.hour !== null ? nextLocalHour(timeZone, now, row.hour) : null;
}

export const sendDueNoteEmails = (context: Context): Promise<void> =>
  forEachDueTutor(context, NOTE_EMAILS_WORK, (tutorId) => sendNoteEmails(context, tutorId));

/** Safe to repeat, because the transaction that creates an email records its notes. */
async function sendNoteEmails(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, NOTE_EMAILS_WORK);
    const { timeZone } = await getTutorContact(tx, tutorId);
    const next = await getNextEmailTime(tx, tutorId, now);
    // The hour or the time zone may have changed since the work was scheduled.
    const isLaterToday = next !== null && dateInZone(timeZone, next) === dateInZone(timeZone, now);
    if (next === null || isLaterToday) return completeWork(tx, tutorId, NOTE_EMAILS_WORK, next);
    const retryAt = await createNoteEmails(context, tx, tutorId, { timeZone, now, next });
    await completeWork(tx, tutorId, NOTE_EMAILS_WORK, retryAt);
  });
}

/** Returns when to run again; null if nothing is left. */
async function createNoteEmails(
  context: Context,
  tx: Tx,
  tutorId: string,
  { timeZone, now, next }: { timeZone: string; now: Date; next: Date },
): Promise<Date | null> {
  const since = add24HourDays(now, -MAX_AGE_DAYS);
  const found = await notesToEmail(tx, tutorId, { since, now, limit: MAX_NOTES }).execute();
  const groups = [...Map.groupBy(found, ({ contactId }) => contactId).values()];
  const isTruncated = found.length === MAX_NOTES && groups.length > 1;
  // If the rows were limited, the last contact's notes may be incomplete.
  if (isTruncated) groups.pop();
  const today = dateInZone(timeZone, now);
  const signature = await getSignature(tx, tutorId);
  const messages = groups.map((notes) => ({
    ...toMessage(context, notes, { today, signature }),
    notes,
  }));
  const keys = messages.map(({ dedupeKey }) => dedupeKey);
  const alreadyEmailed = await existingDedupeKeys(tx, tutorId, keys);
  const pending = messages.filter(({ dedupeKey }) => !alreadyEmailed.has(dedupeKey));
  const reachable = await filterReachable(tx, tutorId, 'lesson_notes', pending);
  const { allowed, isLimited } = await consumeAutomaticQuota(context, tx, tutorId, reachable, {
    countByAddress: false,
  });
  await createMessages(
    context,
    tx,
    tutorId,
    allowed.map(({ notes: _, ...message }) => message),
  );
  const emailed = allowed.flatMap(({ notes, dedupeKey }) =>
    notes.map((note) => ({ ...note, dedupeKey })),
  );
  await insertNoteEmails(tx, tutorId, emailed);
  return earliest([
    isTruncated ? now : null,
    isLimited ? getLimitRetryTime(now) : null,
    alreadyEmailed.size > 0 ? next : null,
  ]);
}

function toMessage(
  { config }: Context,
  notes: readonly NoteForContact[],
  { today, signature }: { today: string; signature: string },
): OutgoingMessage {
  const [contact] = notes as readonly [NoteForContact];
  const { contactId, contactName, ownStudentId, email, timeZone, familyId } = contact;
  return {
    dedupeKey: `notes ${contactId} ${today}`,
    kind: 'lesson_notes',
    channel: 'email',
    automatic: true,
    familyId,
    toName: contactName,
    address: email,
    timeZone,
    ...writeNoteEmail({
      contactName,
      ownStudentId,
      notes,
      portalUrl: `${config.origin}/family`,
      signature,
      today,
    }),
  };
}

/** Leaves out notes that were withdrawn or that the recipient may no longer read. Null if nothing is left. */
export async function revalidateNoteEmail(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const now = context.clock.now();
  const notes = await notesOfEmail(tx, tutorId, message.id, now).execute();
  if (notes.length === 0) return null;
  const { timeZone } = await getTutorContact(tx, tutorId);
  const today = dateInZone(timeZone, now);
  const signature = await getSignature(tx, tutorId);
  const { subject, text } = toMessage(context, notes, { today, signature });
  return { ...message, subject, text };
}
