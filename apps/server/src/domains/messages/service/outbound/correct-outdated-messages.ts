import type { Channel } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { unopenedDrafts } from '../../queries/message-lists.ts';
import {
  type CommunicatedSession,
  skipReplacedDrafts,
  updateMessage,
} from '../../queries/messages.ts';
import {
  communicatedRootIds,
  currentSessionIds,
  type SessionCommunication,
} from '../../queries/session-communications.ts';
import { type MessageSession, sessionsByIds } from '../../queries/sessions.ts';
import {
  type ChangeKind,
  communicationsToCorrect,
  pendingChange,
} from '../../rules/find-uncommunicated-changes.ts';
import type { Reader } from '../../rules/format-dates-and-lessons.ts';
import { toChange } from '../../rules/lesson-change-notice-text.ts';
import { afterQuietHours, earliest, isUrgent } from '../../rules/quiet-hours.ts';
import { toReader } from '../../rules/recipients.ts';
import type { Settings } from '../reminders/reminder-settings.ts';
import { changeDedupeKey, renderChangeNotice, toChangedSession } from './change-notice.ts';
import {
  canSendEmail,
  createMessage,
  type OutgoingMessage,
  toCommunicatedSession,
} from './create-message.ts';
import { consumeAutomaticQuota, getLimitRetryTime } from './email-quota.ts';
import {
  isStillCurrent,
  loadCommunications,
  seatKey,
  slotOf,
} from './find-pending-change-notices.ts';

const CORRECTION_PREFIX = 'corrected';

/** Corrections are sent by the reminder job but are not marked as automatic, so they are recognised by their dedupe key. */
export const isCorrection = ({ dedupeKey }: { dedupeKey: string }): boolean =>
  dedupeKey.startsWith(`${CORRECTION_PREFIX} `);

interface Correction {
  kind: ChangeKind;
  /** The last message to this recipient at this address. */
  known: SessionCommunication;
  /** Null if the session is not taking place or was deleted. */
  current: MessageSession | null;
  /** Null if the session was deleted. */
  session: MessageSession | null;
  lastMessageId: number;
}

/**
 * Informs recipients about lessons that have been moved, cancelled, deleted or restored since the last message about them.
 * A change notice sent by the tutor counts as such a message. Returns when to run again for corrections that must wait
 * because of the email limits or the recipient's quiet hours; null if none must wait.
 */
export async function sendCorrections(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<Date | null> {
  await skipOutdatedDrafts(tx, tutorId);
  const now = context.clock.now();
  const { timeZone } = await getTutor(tx, tutorId);
  const found = await findCorrections(tx, tutorId, now);
  const sendAt = new Map(found.map((each) => [each, getCorrectionTime(each, timeZone, now)]));
  const corrections = found.filter((each) => sendAt.get(each) === now);
  const next = earliest([...sendAt.values()].filter((at) => at > now));
  if (corrections.length === 0) return next;
  const canEmail = await canSendEmail(tx, tutorId);
  const groups = Map.groupBy(
    corrections,
    ({ kind, known }) => `${kind} ${known.recipient} ${known.channel} ${known.address}`,
  );
  const messages: (OutgoingMessage & { lessons: CommunicatedSession[] })[] = [];
  for (const group of groups.values()) {
    const [{ kind, known }] = group as [Correction];
    const reader = toReader({ key: known.recipient, timeZone: known.timeZone }, timeZone);
    if (known.channel === 'email' && !canEmail) continue;
    messages.push({
      ...(await renderChangeNotice(context, tx, tutorId, settings, {
        name: known.toName,
        reader,
        kind,
        changes: group.map((each) =>
          toChange(each.known, each.current, each.session && toChangedSession(each.session)),
        ),
      })),
      dedupeKey: changeDedupeKey(
        CORRECTION_PREFIX,
        `${known.recipient} ${known.channel} ${known.address}`,
        group.map(({ known: { rootSessionId, studentId }, lastMessageId }) => ({
          rootSessionId,
          studentId,
          lastMessageId,
        })),
      ),
      kind: 'lesson_change',
      channel: known.channel as Channel,
      familyId: known.familyId,
      toName: known.toName,
      address: known.address,
      timeZone: known.timeZone,
      lessons: group.map((each) => toCommunicated(each, reader)),
    });
  }
  const quota = await consumeAutomaticQuota(context, tx, tutorId, messages, {
    countByAddress: true,
  });
  // Replaced drafts are skipped at the end, so that an email does not replace a WhatsApp correction from the same run.
  const created: { id: number; lessons: CommunicatedSession[] }[] = [];
  for (const message of quota.allowed) {
    const id = await createMessage(context, tx, tutorId, message);
    if (id !== null) created.push({ id, lessons: message.lessons });
  }
  const [first] = created;
  if (first) {
    const lessons = created.flatMap((each) => each.lessons);
    await skipReplacedDrafts(tx, tutorId, first.id, lessons);
  }
  return quota.isLimited ? earliest([getLimitRetryTime(now), next]) : next;
}

/** WhatsApp corrections are drafts, so quiet hours do not apply. Changes to lessons before noon the next day cannot wait. */
function getCorrectionTime({ known, current }: Correction, tutorTimeZone: string, now: Date): Date {
  const timeZone = known.timeZone ?? tutorTimeZone;
  const isAffectedSoon = [known, current].some(
    (slot) => slot !== null && isUrgent(timeZone, slot.startsAt, now),
  );
  return known.channel !== 'email' || isAffectedSoon ? now : afterQuietHours(timeZone, now);
}

/** Skips drafts in the outbox that contradict the schedule. */
async function skipOutdatedDrafts(tx: Tx, tutorId: string): Promise<void> {
  for (const { id } of await unopenedDrafts(tx, tutorId, 'lesson_change').execute()) {
    if (await isStillCurrent(tx, tutorId, id)) continue;
    const problem = 'The lesson changed before this was sent.';
    await updateMessage(tx, tutorId, id, { state: 'skipped', failure_reason: problem });
  }
}

async function findCorrections(tx: Tx, tutorId: string, now: Date): Promise<Correction[]> {
  const roots = await communicatedRootIds(tx, tutorId, now).execute();
  if (roots.length === 0) return [];
  const rootIds = roots.map(({ rootSessionId }) => rootSessionId);
  const followed = await currentSessionIds(tx, tutorId, rootIds).execute();
  const sessions = await sessionsByIds(
    tx,
    tutorId,
    followed.map(({ currentId }) => currentId),
  ).execute();
  const currentBySeat = new Map(sessions.map((session) => [seatKey(session), session]));
  const received = await loadCommunications(tx, tutorId, rootIds);
  return [...received.values()]
    .flatMap((communications) => {
      const [first] = communications as [SessionCommunication];
      const session = currentBySeat.get(seatKey(first)) ?? null;
      const current = slotOf(session ?? undefined);
      const lastMessageId = communications.at(-1)?.messageId ?? 0;
      return communicationsToCorrect(communications, current, now).flatMap((known) => {
        const kind = pendingChange(known, current);
        return kind ? [{ kind, known, current, session, lastMessageId }] : [];
      });
    })
    .toSorted((a, b) => a.known.startsAt.getTime() - b.known.startsAt.getTime());
}

function toCommunicated({ known, current }: Correction, reader: Reader): CommunicatedSession {
  if (current) return toCommunicatedSession(known.recipient, current, reader);
  const { recipient, sessionId, studentId, rootSessionId, rootPublicId, studentName, summary } =
    known;
  return {
    recipient,
    sessionId,
    studentId,
    rootSessionId,
    rootPublicId,
    communicatedStartsAt: null,
    sessionStartsAt: known.startsAt,
    sessionEndsAt: known.endsAt,
    studentName,
    summary,
  };
}
