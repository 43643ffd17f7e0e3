import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  type MessageRecord,
  reminderDrafts,
  type ToldLesson,
  tellAnew,
  toldBy,
  updateMessage,
} from '../queries/messages.ts';
import { type SessionInWords, sessionsOfMessage } from '../queries/sessions.ts';
import { reminderWords } from './reminder-words.ts';
import { settingsIn } from './settings.ts';
import { toldOf } from './tell.ts';

/**
 * A reminder that has not gone yet speaks of the lessons of its day that still take place, at the time they take place; of
 * none, it says nothing at all. What moved to another day is reminded of in its own time.
 */
export async function stillTrue(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const { coming, asTold } = await compareNow(context, tx, tutorId, message);
  if (coming.length === 0) return null;
  if (asTold) return message;
  const settings = await settingsIn(tx, tutorId);
  const words = await reminderWords(
    context,
    tx,
    tutorId,
    settings,
    { name: message.toName },
    coming,
  );
  const lessons = coming.map((session) => toldOf(session, session));
  await tellAnew(tx, tutorId, message.id, words, lessons);
  return { ...message, ...words };
}

/** Reads what it says and what the book says, and compares. */
export async function compareNow(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<ReturnType<typeof compare>> {
  const told = await toldBy(tx, tutorId, message.id).execute();
  const sessions = await sessionsOfMessage(tx, tutorId, message.id).execute();
  return compare(message, told, sessions, context.clock.now());
}

/** Which of its lessons still take place on its day, and whether that is what it says. */
export function compare(
  message: Pick<MessageRecord, 'intent'>,
  told: readonly ToldLesson[],
  sessions: readonly SessionInWords[],
  now: Date,
): { coming: SessionInWords[]; asTold: boolean } {
  const toldAt = new Map(told.map((each) => [each.sessionId, each.toldAt?.getTime()]));
  const day = dayOf(message.intent);
  const coming = sessions.filter(
    (session) => session.status === 'scheduled' && session.startsAt > now && session.date === day,
  );
  const asTold =
    coming.length === told.length &&
    coming.every((session) => session.startsAt.getTime() === toldAt.get(session.id));
  return { coming, asTold };
}

/** 'reminder c12 2026-11-17 email': the day that a reminder was meant for. */
const dayOf = (intent: string): string => intent.split(' ')[2] ?? '';

/** What lies in the tray follows the lessons, as long as nobody has opened it. */
export async function freshenDrafts(context: Context, tx: Tx, tutorId: string): Promise<void> {
  for (const draft of await reminderDrafts(tx, tutorId).execute()) {
    if ((await stillTrue(context, tx, tutorId, draft)) === null) {
      await updateMessage(tx, tutorId, draft.id, { state: 'skipped' });
    }
  }
}
