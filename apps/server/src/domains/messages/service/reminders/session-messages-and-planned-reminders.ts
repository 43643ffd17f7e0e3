import type { SessionMessages } from '@lessonbook/contract/list-messages-about-session';
import type { Channel, MessageKind, MessageState } from '@lessonbook/contract/messages';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import {
  getNotificationSettings,
  getTimeZone,
} from '../../../accounts/service/profile/read-tutor.ts';
import { existingDedupeKeys } from '../../queries/messages.ts';
import { messagesAbout } from '../../queries/session-communications.ts';
import {
  type MessageSession,
  sessionsByIds,
  upcomingSessionsBetween,
} from '../../queries/sessions.ts';
import { afterQuietHours } from '../../rules/quiet-hours.ts';
import { type PlannedReminder, planReminders } from '../../rules/reminder-plan.ts';
import { getSettings } from './reminder-settings.ts';
import { filterReachable } from './unreachable-recipients.ts';

/** The messages about a session, and the reminders that the job will create for the session in its next runs. */
export async function readSessionMessages(
  context: Context,
  tutorId: string,
  id: number,
): Promise<SessionMessages> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const [session] = await sessionsByIds(tx, tutorId, [id]).execute();
    if (!session) throw new AppError('not_found', 'Session not found');
    const messages = await messagesAbout(tx, tutorId, session.rootSessionId).execute();
    const planned = await planSessionReminders(tx, tutorId, session, now);
    return {
      messages: messages.map((message) => ({
        ...message,
        kind: message.kind as MessageKind,
        channel: message.channel as Channel,
        state: message.state as MessageState,
        at: message.at.toISOString(),
      })),
      planned: planned.map(({ channel, person, at }) => ({
        channel,
        toName: person.name,
        at: at.toISOString(),
      })),
    };
  });
}

async function planSessionReminders(
  tx: Tx,
  tutorId: string,
  session: MessageSession,
  now: Date,
): Promise<PlannedReminder[]> {
  if (session.status !== 'scheduled' || session.startsAt <= now) return [];
  const settings = await getSettings(tx, tutorId);
  const { lessonReminders } = await getNotificationSettings(tx, tutorId);
  if (settings.enabledAt === null || !lessonReminders) return [];
  // A carer gets one message for all lessons of a day, at the earliest of their reminder times.
  const nearby = await upcomingSessionsBetween(
    tx,
    tutorId,
    add24HourDays(session.startsAt, -1),
    add24HourDays(session.startsAt, 1),
  ).execute();
  const timeZone = await getTimeZone(tx, tutorId);
  const planned = planReminders(
    nearby.filter(({ startsAt }) => startsAt > now),
    settings,
    timeZone,
  ).filter(({ lessons }) => lessons.some(({ id }) => id === session.id));
  const existing = await existingDedupeKeys(
    tx,
    tutorId,
    planned.map(({ dedupeKey }) => dedupeKey),
  );
  const reachable = await filterReachable(tx, tutorId, 'lesson_reminder', planned);
  return reachable
    .filter(({ dedupeKey }) => !existing.has(dedupeKey))
    .map((reminder) => {
      const recipientZone = reminder.person.timeZone ?? timeZone;
      return {
        ...reminder,
        at: reminder.at > now ? reminder.at : afterQuietHours(recipientZone, now),
      };
    });
}
