import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { unopenedDrafts } from '../../queries/message-lists.ts';
import {
  type CommunicatedSessionRecord,
  communicatedSessions,
  type MessageRecord,
  updateMessage,
  updateMessageContent,
} from '../../queries/messages.ts';
import { type MessageSession, sessionsForMessage } from '../../queries/sessions.ts';
import { toReader } from '../../rules/recipients.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { getRenderContext, renderLessonReminder } from '../reminders/render-lesson-reminder.ts';
import { toCommunicatedSession } from './create-message.ts';

/**
 * Updates an unsent reminder so that it lists only lessons that still take place on its date. Returns null if there are none.
 * Lessons moved to another day get their own reminder.
 */
export async function revalidateReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const { upcoming, isAccurate } = await loadAndCompareSessions(context, tx, tutorId, message);
  if (upcoming.length === 0) return null;
  if (isAccurate) return message;
  const settings = await getSettings(tx, tutorId);
  const renderContext = await getRenderContext(context, tx, tutorId);
  const person = reminderRecipient(message);
  const content = renderLessonReminder(renderContext, settings, person, upcoming);
  const reader = toReader(person, renderContext.timeZone);
  const lessons = upcoming.map((session) => toCommunicatedSession(person.key, session, reader));
  await updateMessageContent(tx, tutorId, message.id, content, lessons);
  return { ...message, ...content };
}

export async function loadAndCompareSessions(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<ReturnType<typeof compareWithSessions>> {
  const communicated = await communicatedSessions(tx, tutorId, message.id).execute();
  const sessions = await sessionsForMessage(tx, tutorId, message.id).execute();
  return compareWithSessions(message, communicated, sessions, context.clock.now());
}

/** Finds which of the message's lessons still take place on its date, and whether the message is still accurate. */
export function compareWithSessions(
  message: Pick<MessageRecord, 'lessonDate'>,
  communicated: readonly CommunicatedSessionRecord[],
  sessions: readonly MessageSession[],
  now: Date,
): { upcoming: MessageSession[]; isAccurate: boolean } {
  const communicatedStarts = new Map(
    communicated.map((entry) => [
      `${entry.sessionId} ${entry.studentId}`,
      entry.communicatedStartsAt?.getTime(),
    ]),
  );
  // A reminder created before dates were stored may list a lesson that was moved to another day.
  const isOnDate = ({ date }: MessageSession) => (message.lessonDate ?? date) === date;
  const upcoming = sessions.filter(
    (session) => session.status === 'scheduled' && session.startsAt > now && isOnDate(session),
  );
  const isAccurate =
    upcoming.length === communicated.length &&
    upcoming.every(
      (session) =>
        session.startsAt.getTime() === communicatedStarts.get(`${session.id} ${session.studentId}`),
    );
  return { upcoming, isAccurate };
}

/** The person's key is part of a dedupe key like 'reminder c12 2026-11-17 email'. */
export const reminderRecipient = ({ dedupeKey, toName, timeZone }: MessageRecord) => ({
  key: dedupeKey.split(' ')[1] ?? '',
  name: toName,
  timeZone,
});

/** Updates unopened reminder drafts whose lessons have changed. */
export async function refreshDrafts(context: Context, tx: Tx, tutorId: string): Promise<void> {
  for (const draft of await unopenedDrafts(tx, tutorId, 'lesson_reminder').execute()) {
    if ((await revalidateReminder(context, tx, tutorId, draft)) === null) {
      await updateMessage(tx, tutorId, draft.id, { state: 'skipped' });
    }
  }
}
