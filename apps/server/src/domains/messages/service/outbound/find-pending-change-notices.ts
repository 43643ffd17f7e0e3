import { addDaysToDate } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import type { ChangeNoticeInput, PendingNotice } from '@lessonbook/contract/messages';
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
import {
  type ChangeKind,
  isCurrentDraft,
  isOutdatedDraft,
  isUpcoming,
  latestCommunication,
  pendingChange,
  type Slot,
  toSlot,
} from '../../rules/find-uncommunicated-changes.ts';
import {
  formatLessonLine,
  type LocalSlot,
  type Reader,
} from '../../rules/format-dates-and-lessons.ts';
import type { KnownLesson } from '../../rules/lesson-change-notice-text.ts';
import { type Person, selectRecipients, toReader } from '../../rules/recipients.ts';
import { getSettings, type Settings } from '../reminders/reminder-settings.ts';
import { toCommunicatedSession } from './create-message.ts';

/** What a recipient was last sent about a session. */
export type KnownSession = Slot & KnownLesson & { takesPlace: boolean };

/** A session that differs from what a person was last sent about it. */
export interface Notice {
  kind: ChangeKind;
  person: Person;
  reader: Reader;
  familyId: number | null;
  /** The session with its current time, after any moves. */
  session: MessageSession;
  known: KnownSession;
  /** False if no message mentioned the session; `known` is then its original time. */
  wasInformed: boolean;
  lastMessageId: number;
  /** A draft of this notice that the tutor has not sent yet. */
  draft: SessionCommunication | undefined;
}

export const slotOf = (session: MessageSession | undefined): MessageSession | null =>
  session && (session.status === 'scheduled' || session.status === 'completed') ? session : null;

/** Compares the last message to each recipient with the schedule. Any row in a chain of moves identifies the session. */
export async function findNotices(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  { sessionIds, previousTimes = [] }: Pick<ChangeNoticeInput, 'sessionIds' | 'previousTimes'>,
): Promise<Notice[]> {
  const followed = await currentSessionIds(tx, tutorId, sessionIds).execute();
  if (followed.length !== new Set(sessionIds).size) {
    throw new AppError('not_found', 'Session not found');
  }
  const currentIds = [...new Set(followed.map(({ currentId }) => currentId))];
  const sessions = await sessionsByIds(tx, tutorId, currentIds).execute();
  const rootIds = sessions.map((session) => session.rootSessionId);
  const roots = new Map(
    (await sessionsByIds(tx, tutorId, rootIds).execute()).map((root) => [seatKey(root), root]),
  );
  const communications = await loadCommunications(tx, tutorId, rootIds);
  const { timeZone } = await getTutor(tx, tutorId);
  return sessions.flatMap((session) =>
    selectRecipients(session, session.studentPreferences?.recipient ?? settings.recipient).flatMap(
      (person) => {
        const received = communications.get(`${seatKey(session)} ${person.key}`) ?? [];
        const root = roots.get(seatKey(session)) ?? session;
        const previous = previousTimes.find(({ sessionId }) => sessionId === session.id);
        const expected = previous ? { ...root, ...previous, ...toSlot(timeZone, previous) } : root;
        return toNotice(session, expected, person, toReader(person, timeZone), received);
      },
    ),
  );
}

/** Identifies one student's part in a session through its moves. Students of a group have different families. */
export const seatKey = (seat: { rootSessionId: number | null; studentId: number }): string =>
  `${seat.rootSessionId} ${seat.studentId}`;

/** What was communicated about the sessions with these roots, by session, student and recipient. */
export async function loadCommunications(
  tx: Tx,
  tutorId: string,
  rootIds: readonly number[],
): Promise<Map<string, SessionCommunication[]>> {
  const { timeZone, isDemo } = await getTutorContact(tx, tutorId);
  const communications = await communicationsAbout(tx, tutorId, rootIds, timeZone).execute();
  return Map.groupBy(
    // The demo sends no messages, but its messages should appear as sent.
    isDemo
      ? communications.map((each) => ({
          ...each,
          state: each.state === 'skipped' && !isOutdatedDraft(each) ? 'sent' : each.state,
        }))
      : communications,
    (each) => `${seatKey(each)} ${each.recipient}`,
  );
}

function toNotice(
  session: MessageSession,
  expected: MessageSession,
  person: Person,
  reader: Reader,
  received: readonly SessionCommunication[],
): Notice[] {
  const lastCommunication = latestCommunication(received);
  const known = lastCommunication ?? toExpected(expected, reader);
  const kind = pendingChange(known, slotOf(session));
  if (kind === null || (kind === 'moved' && isSameLocalSlot(known, session))) return [];
  return [
    {
      kind,
      person,
      reader,
      familyId: session.familyId,
      session,
      known,
      wasInformed: lastCommunication !== undefined,
      lastMessageId: received.at(-1)?.messageId ?? 0,
      draft: received.findLast((each) => isCurrentDraft(each, slotOf(session))),
    },
  ];
}

/** After a time zone change, rows of moved sessions keep their old instants, so local times are compared. */
const isSameLocalSlot = (a: LocalSlot, b: LocalSlot): boolean =>
  a.date === b.date && a.startTime === b.startTime && a.endTime === b.endTime;

/** What a family expects if no message was sent: the originally planned time, or the time before the series was moved. */
export const toExpected = (root: MessageSession, reader: Reader): KnownSession => ({
  takesPlace: true,
  startsAt: root.startsAt,
  endsAt: root.endsAt,
  date: root.date,
  startTime: root.startTime,
  endTime: root.endTime,
  studentName: firstName(root.studentName),
  summary: formatLessonLine({ ...root, place: null }, reader),
});

/** The session as the recipient knows it once the notice is sent. */
export function toCommunicated({
  session,
  known,
  person,
  reader,
}: Omit<Notice, 'kind'>): CommunicatedSession {
  const communicated = toCommunicatedSession(person.key, session, reader);
  if (slotOf(session)) return communicated;
  return {
    ...communicated,
    communicatedStartsAt: null,
    sessionStartsAt: known.startsAt,
    sessionEndsAt: known.endsAt,
    summary: known.summary,
  };
}

/** Whether everything that a message says about sessions agrees with the schedule and with newer messages. */
export async function isStillCurrent(tx: Tx, tutorId: string, messageId: number): Promise<boolean> {
  const communicated = await communicatedSessions(tx, tutorId, messageId).execute();
  const sessionIds = communicated.map(({ sessionId }) => sessionId);
  const current = new Map(
    (await sessionsByIds(tx, tutorId, sessionIds).execute()).map((session) => [
      `${session.id} ${session.studentId}`,
      slotOf(session),
    ]),
  );
  const rootIds = communicated.flatMap(({ rootSessionId }) => rootSessionId ?? []);
  const received = await loadCommunications(tx, tutorId, rootIds);
  return communicated.every((entry) => {
    const slot = current.get(`${entry.sessionId} ${entry.studentId}`) ?? null;
    const all = received.get(`${seatKey(entry)} ${entry.recipient}`) ?? [];
    const own = all.find((each) => each.messageId === messageId);
    const last = latestCommunication(all.filter((each) => each.messageId > messageId));
    return (
      own !== undefined &&
      pendingChange(own, slot) === null &&
      (last === undefined || pendingChange(last, slot) === null)
    );
  });
}

const MAX_LISTED = 100;
const DAYS_AHEAD = 60;
const PAGE_SIZE = 100;
/** Limits the work for tutors who have cancelled thousands of lessons and already notified the families. */
const MAX_PAGES = 50;

/** Upcoming changes about which families have not been notified, for one session or for all. */
export async function listPendingNotices(
  context: Context,
  tutorId: string,
  { sessionId }: { sessionId?: number | undefined },
): Promise<PendingNotice[]> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    // Lists each student in a session once, although the carer and the student may both be recipients.
    const bySeat = new Map<string, Notice>();
    const findIn = async (sessionIds: readonly number[]) => {
      for (const notice of await findNotices(tx, tutorId, settings, {
        sessionIds: [...sessionIds],
      })) {
        const key = seatKey(notice.session);
        if (isListed(notice, now) && !bySeat.has(key)) bySeat.set(key, notice);
      }
    };
    if (sessionId) await findIn([sessionId]);
    else {
      await findIn(await communicatedSessionIds(tx, tutorId, now));
      for await (const page of changedSessionIds(tx, tutorId, now)) {
        await findIn(page);
        if (bySeat.size >= MAX_LISTED) break;
      }
    }
    return [...bySeat.values()]
      .toSorted((a, b) => a.session.startsAt.getTime() - b.session.startsAt.getTime())
      .slice(0, MAX_LISTED)
      .map(toPendingNotice);
  });
}

const isListed = (notice: Notice, now: Date): boolean =>
  isUpcoming(notice.known, slotOf(notice.session), now) &&
  Boolean(notice.person.email || notice.person.phone) &&
  (notice.wasInformed || !needsNoMessage(notice.session));

/**
 * No message is needed if the family cancelled the lesson, if the lesson was created during time off, or if the student
 * is leaving, because families get a separate message about that.
 */
const needsNoMessage = ({
  status,
  cancelledBy,
  isCancelledByDeparture,
  sequence,
}: MessageSession): boolean =>
  status === 'cancelled' && (cancelledBy !== 'tutor' || isCancelledByDeparture || sequence === 0);

/** Sessions whose time in a message differs from the schedule. Leaves out deleted sessions, which get a correction. */
async function communicatedSessionIds(tx: Tx, tutorId: string, now: Date): Promise<number[]> {
  const roots = await communicatedRootIds(tx, tutorId, now).execute();
  const rootIds = roots.map(({ rootSessionId }) => rootSessionId);
  const existing = await currentSessionIds(tx, tutorId, rootIds).execute();
  return existing.map(({ sessionId }) => sessionId);
}

/** Reads in pages, because families may already have been notified of most changes. */
async function* changedSessionIds(tx: Tx, tutorId: string, now: Date): AsyncGenerator<number[]> {
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, now);
  const range = { now, from: today, to: addDaysToDate(today, DAYS_AHEAD) };
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows = await upcomingChangedSessionIds(tx, tutorId, range, {
      limit: PAGE_SIZE,
      offset: page * PAGE_SIZE,
    }).execute();
    yield rows.map(({ id }) => id);
    if (rows.length < PAGE_SIZE) return;
  }
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
