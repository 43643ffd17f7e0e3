import { addDaysToDate } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import type { PendingNotice } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor, getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { type CommunicatedSession, communicatedSessions } from '../../queries/messages.ts';
import {
  communicatedRootIds,
  communicationsAbout,
  currentSessionIds,
  type SessionCommunication,
  upcomingChangedSessionIds,
} from '../../queries/session-communications.ts';
import { type MessageSession, sessionsByIds } from '../../queries/sessions.ts';
import type { Change, LocalSlot } from '../../rules/change-text.ts';
import {
  type ChangeKind,
  isUpcoming,
  latestCommunication,
  pendingChange,
  type Slot,
} from '../../rules/pending-notice.ts';
import { type Person, selectRecipients } from '../../rules/recipients.ts';
import { formatLessonLine } from '../../rules/templates.ts';
import { getSettings, type Settings } from '../reminders/reminder-settings.ts';
import { toCommunicatedSession } from './create-message.ts';

/** What a recipient knows about a session. */
export type KnownSession = Slot & LocalSlot & Omit<Change, 'newSlot'> & { takesPlace: boolean };

/** A session that differs from what one person knows about it. */
export interface Notice {
  kind: ChangeKind;
  person: Person;
  familyId: number | null;
  /** The row with the current time. */
  session: MessageSession;
  known: KnownSession;
  /** False if no message mentioned the session, so that they know only its original time. */
  wasInformed: boolean;
  lastMessageId: number;
}

export const slotOf = (session: MessageSession | undefined): MessageSession | null =>
  session && (session.status === 'scheduled' || session.status === 'completed') ? session : null;

/** Compares what each recipient knows with the schedule. Sessions can be given by any row of their chain of moves. */
export async function findNotices(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  sessionIds: readonly number[],
): Promise<Notice[]> {
  const followed = await currentSessionIds(tx, tutorId, sessionIds).execute();
  if (followed.length !== new Set(sessionIds).size) {
    throw new AppError('not_found', 'Session not found');
  }
  const currentIds = [...new Set(followed.map(({ currentId }) => currentId))];
  const sessions = await sessionsByIds(tx, tutorId, currentIds).execute();
  const rootIds = sessions.map((session) => session.rootSessionId);
  const roots = new Map(
    (await sessionsByIds(tx, tutorId, rootIds).execute()).map((root) => [root.id, root]),
  );
  const communications = await loadCommunications(tx, tutorId, rootIds);
  return sessions.flatMap((session) =>
    selectRecipients(session, session.studentPreferences?.recipient ?? settings.recipient).flatMap(
      (person) => {
        const received = communications.get(`${session.rootSessionId} ${person.key}`) ?? [];
        const root = roots.get(session.rootSessionId) ?? session;
        return toNotice(session, root, person, received);
      },
    ),
  );
}

/** What was communicated about the sessions with these roots, by session and recipient. */
export async function loadCommunications(
  tx: Tx,
  tutorId: string,
  rootIds: readonly number[],
): Promise<Map<string, SessionCommunication[]>> {
  const { timeZone, isDemo } = await getTutorContact(tx, tutorId);
  const communications = await communicationsAbout(tx, tutorId, rootIds, timeZone).execute();
  return Map.groupBy(
    // The demo sends nothing, but should look as if it did.
    isDemo
      ? communications.map((each) => ({
          ...each,
          state: each.state === 'skipped' ? 'sent' : each.state,
        }))
      : communications,
    (each) => `${each.rootSessionId} ${each.recipient}`,
  );
}

function toNotice(
  session: MessageSession,
  root: MessageSession,
  person: Person,
  received: readonly SessionCommunication[],
): Notice[] {
  const lastCommunication = latestCommunication(received);
  const known = lastCommunication ?? toOriginal(root);
  const kind = pendingChange(known, slotOf(session));
  if (kind === null) return [];
  return [
    {
      kind,
      person,
      familyId: session.familyId,
      session,
      known,
      wasInformed: lastCommunication !== undefined,
      lastMessageId: received.at(-1)?.messageId ?? 0,
    },
  ];
}

/** Without any message, a family knows the time for which the session was planned first. */
const toOriginal = (root: MessageSession): KnownSession => ({
  takesPlace: true,
  startsAt: root.startsAt,
  endsAt: root.endsAt,
  date: root.date,
  startTime: root.startTime,
  endTime: root.endTime,
  studentName: firstName(root.studentName),
  summary: formatLessonLine(root),
});

/** What the recipient knows after the notice. */
export function toCommunicated({ session, known, person }: Notice): CommunicatedSession {
  const communicated = toCommunicatedSession(person.key, session);
  if (slotOf(session)) return communicated;
  return {
    ...communicated,
    communicatedStartsAt: null,
    sessionStartsAt: known.startsAt,
    sessionEndsAt: known.endsAt,
    summary: known.summary,
  };
}

/** Whether all that a message says about sessions agrees with the schedule. */
export async function isStillCurrent(tx: Tx, tutorId: string, messageId: number): Promise<boolean> {
  const communicated = await communicatedSessions(tx, tutorId, messageId).execute();
  const sessionIds = communicated.map(({ sessionId }) => sessionId);
  const current = new Map(
    (await sessionsByIds(tx, tutorId, sessionIds).execute()).map((session) => [
      session.id,
      slotOf(session),
    ]),
  );
  return communicated.every(
    ({ sessionId, communicatedStartsAt, sessionStartsAt, sessionEndsAt }) =>
      sessionStartsAt !== null &&
      sessionEndsAt !== null &&
      pendingChange(
        {
          takesPlace: communicatedStartsAt !== null,
          startsAt: sessionStartsAt,
          endsAt: sessionEndsAt,
        },
        current.get(sessionId) ?? null,
      ) === null,
  );
}

const MAX_LISTED = 100;
const DAYS_AHEAD = 60;

/** Upcoming changes that families do not know, for one session or for all. */
export async function listPendingNotices(
  context: Context,
  tutorId: string,
  { sessionId }: { sessionId?: number | undefined },
): Promise<PendingNotice[]> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    const sessionIds = sessionId ? [sessionId] : await changedSessionIds(tx, tutorId, now);
    const notices = (await findNotices(tx, tutorId, settings, sessionIds)).filter(
      (notice) =>
        isUpcoming(notice.known, slotOf(notice.session), now) &&
        isReachable(notice) &&
        !isCancelledByFamily(notice),
    );
    // One entry for each session, although a carer and a student may both be recipients.
    const bySession = new Map(
      notices.toReversed().map((notice) => [notice.session.id, toPendingNotice(notice)]),
    );
    return [...bySession.values()].toReversed().slice(0, MAX_LISTED);
  });
}

const isReachable = ({ person }: Notice): boolean => Boolean(person.email || person.phone);

/** A family that cancelled the lesson itself needs no message. */
const isCancelledByFamily = ({ wasInformed, session }: Notice): boolean =>
  !wasInformed && session.status === 'cancelled' && session.cancelledBy !== 'tutor';

async function changedSessionIds(tx: Tx, tutorId: string, now: Date): Promise<number[]> {
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, now);
  const range = { now, from: today, to: addDaysToDate(today, DAYS_AHEAD), limit: MAX_LISTED };
  const changed = await upcomingChangedSessionIds(tx, tutorId, range).execute();
  const roots = await communicatedRootIds(tx, tutorId, now).execute();
  const rootIds = roots.map(({ rootSessionId }) => rootSessionId);
  // Leaves out sessions that were deleted; their families get a correction.
  const existing = await currentSessionIds(tx, tutorId, rootIds).execute();
  return [...changed.map(({ id }) => id), ...existing.map(({ sessionId }) => sessionId)];
}

const toPendingNotice = ({ kind, session, known, wasInformed, person }: Notice): PendingNotice => ({
  sessionId: session.id,
  change: kind,
  studentName: session.studentName,
  toName: person.name,
  wasInformed,
  lastCommunicated: known.takesPlace
    ? { date: known.date, startTime: known.startTime, endTime: known.endTime }
    : null,
  date: session.date,
  startTime: session.startTime,
  endTime: session.endTime,
});
