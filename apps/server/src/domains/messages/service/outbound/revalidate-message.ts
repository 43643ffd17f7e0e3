import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  type CommunicatedSession,
  communicatedSessions,
  type MessageRecord,
  reminderDrafts,
  updateMessage,
  updateMessageContent,
} from '../../queries/messages.ts';
import { type MessageSession, sessionsOfMessage } from '../../queries/sessions.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { loadAndRenderReminder } from '../reminders/render-reminder.ts';
import { snapshotOf } from './change-notice.ts';

/**
 * A reminder that has not gone yet speaks of the lessons of its day that still take place, at the time they take place; of
 * none, it says nothing at all. What moved to another day is reminded of in its own time.
 */
export async function revalidateReminder(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const { coming: upcoming, asTold } = await loadAndCompare(context, tx, tutorId, message);
  if (upcoming.length === 0) return null;
  if (asTold) return message;
  const settings = await getSettings(tx, tutorId);
  const content = await loadAndRenderReminder(
    context,
    tx,
    tutorId,
    settings,
    { name: message.toName },
    upcoming,
  );
  const lessons = upcoming.map((session) => snapshotOf(session, session));
  await updateMessageContent(tx, tutorId, message.id, content, lessons);
  return { ...message, ...content };
}

/** Reads what it says and what the book says, and compares. */
export async function loadAndCompare(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<ReturnType<typeof compareWithSessions>> {
  const communicated = await communicatedSessions(tx, tutorId, message.id).execute();
  const sessions = await sessionsOfMessage(tx, tutorId, message.id).execute();
  return compareWithSessions(message, communicated, sessions, context.clock.now());
}

/** Which of its lessons still take place on its day, and whether that is what it says. */
export function compareWithSessions(
  message: Pick<MessageRecord, 'intent'>,
  communicated: readonly CommunicatedSession[],
  sessions: readonly MessageSession[],
  now: Date,
): { coming: MessageSession[]; asTold: boolean } {
  const toldAt = new Map(communicated.map((each) => [each.sessionId, each.toldAt?.getTime()]));
  const day = reminderDate(message.intent);
  const upcoming = sessions.filter(
    (session) => session.status === 'scheduled' && session.startsAt > now && session.date === day,
  );
  const asTold =
    upcoming.length === communicated.length &&
    upcoming.every((session) => session.startsAt.getTime() === toldAt.get(session.id));
  return { coming: upcoming, asTold };
}

/** 'reminder c12 2026-11-17 email': the day that a reminder was meant for. */
const reminderDate = (intent: string): string => intent.split(' ')[2] ?? '';

/** What lies in the tray follows the lessons, as long as nobody has opened it. */
export async function refreshDrafts(context: Context, tx: Tx, tutorId: string): Promise<void> {
  for (const draft of await reminderDrafts(tx, tutorId).execute()) {
    if ((await revalidateReminder(context, tx, tutorId, draft)) === null) {
      await updateMessage(tx, tutorId, draft.id, { state: 'skipped' });
    }
  }
}
