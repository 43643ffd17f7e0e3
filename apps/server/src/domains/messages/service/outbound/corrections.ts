import type { Channel } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import {
  type StaleCommunication,
  staleCommunications,
} from '../../queries/sessions-changed-since-last-message.ts';
import { type Change, type ChangeKind, formatTimeSpan } from '../../rules/change-text.ts';
import type { Settings } from '../reminders/reminder-settings.ts';
import { renderChangeNotice } from './change-notice.ts';
import { createMessage } from './create-message.ts';

const CORRECTION_PREFIX = 'corrected ';

/** Corrections are sent by the reminder job but are not marked as automatic, so they are recognised by their dedupe key. */
export const isCorrection = ({ dedupeKey }: { dedupeKey: string }): boolean =>
  dedupeKey.startsWith(CORRECTION_PREFIX);

/**
 * Informs recipients about lessons that have been moved, cancelled, deleted or restored since the last message about them.
 * A change notice sent by the tutor counts as such a message.
 */
export async function sendCorrections(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<void> {
  const stale = await staleCommunications(tx, tutorId, context.clock.now()).execute();
  if (stale.length === 0) return;
  const { timeZone } = await getTutor(tx, tutorId);
  const groups = Map.groupBy(
    stale,
    (communication) =>
      `${changeKindOf(communication)} ${communication.channel} ${communication.address}`,
  );
  for (const group of groups.values()) {
    const [first] = group as [StaleCommunication];
    const kind = changeKindOf(first);
    const content = await renderChangeNotice(context, tx, tutorId, settings, {
      name: first.toName,
      kind,
      changes: group.map((communication) => toCorrection(communication, timeZone)),
    });
    const { channel, address, toName, familyId } = first;
    await createMessage(context, tx, tutorId, {
      ...content,
      dedupeKey: `${CORRECTION_PREFIX}${address} ${channel} ${group.map(changeKey).join(' ')}`,
      kind: 'lesson_change',
      channel: channel as Channel,
      familyId,
      toName,
      address,
      lessons: group.map(({ sessionId, startsAt, studentName, summary }) => ({
        sessionId,
        communicatedStartsAt: startsAt,
        studentName,
        summary,
      })),
    });
  }
}

function changeKindOf({ communicatedStartsAt, startsAt }: StaleCommunication): ChangeKind {
  if (startsAt === null) return 'cancelled';
  return communicatedStartsAt === null ? 'restored' : 'moved';
}

/** Identifies the change of a session from one time to another. */
const changeKey = ({ sessionId, communicatedStartsAt, startsAt }: StaleCommunication): string =>
  `${sessionId}:${communicatedStartsAt?.getTime() ?? ''}>${startsAt?.getTime() ?? ''}`;

function toCorrection(communication: StaleCommunication, timeZone: string): Change {
  const { studentName, summary, communicatedStartsAt, date, startTime, endTime } = communication;
  const slot =
    date === null || startTime === null || endTime === null ? null : { date, startTime, endTime };
  const communicatedDate =
    communicatedStartsAt === null ? (date ?? '') : dateInZone(timeZone, communicatedStartsAt);
  // A lesson restored at its original time does not need the time repeated.
  const isSameTime =
    communicatedStartsAt === null && slot !== null && summary.includes(formatTimeSpan(slot));
  return { studentName, summary, date: communicatedDate, newSlot: isSameTime ? null : slot };
}
