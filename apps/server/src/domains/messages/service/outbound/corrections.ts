import type { Channel } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutor } from '../../../accounts/service/profile/profile.ts';
import {
  type StaleCommunication,
  staleCommunications,
} from '../../queries/stale-communications.ts';
import { type Change, type ChangeKind, formatTimeSpan } from '../../rules/change-text.ts';
import type { Settings } from '../reminders/reminder-settings.ts';
import { renderChangeNotice } from './change-notice.ts';
import { createMessage } from './create-message.ts';

const CORRECTION_PREFIX = 'corrected ';

/** Made by the clock like a reminder, though its words are the tutor's. */
export const isCorrection = ({ intent }: { intent: string }): boolean =>
  intent.startsWith(CORRECTION_PREFIX);

/**
 * Whoever was told of a lesson that is no longer so is told again, whatever the tutor does or forgets, and however the
 * lesson changed: moved, called off, deleted, or put back. Words by hand count as telling.
 */
export async function sendCorrections(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<void> {
  const outdated = await staleCommunications(tx, tutorId, context.clock.now()).execute();
  if (outdated.length === 0) return;
  const { timeZone } = await getTutor(tx, tutorId);
  const groups = Map.groupBy(
    outdated,
    (each) => `${changeKindOf(each)} ${each.channel} ${each.address}`,
  );
  for (const stale of groups.values()) {
    const [first] = stale as [StaleCommunication];
    const kind = changeKindOf(first);
    const content = await renderChangeNotice(context, tx, tutorId, settings, {
      name: first.toName,
      kind,
      changes: stale.map((communication) => toCorrection(communication, timeZone)),
    });
    const { channel, address, toName, familyId } = first;
    await createMessage(context, tx, tutorId, {
      ...content,
      dedupeKey: `${CORRECTION_PREFIX}${address} ${channel} ${stale.map(changeKey).join(' ')}`,
      kind: 'lesson_change',
      channel: channel as Channel,
      familyId,
      toName,
      address,
      lessons: stale.map(({ sessionId, startsAt, student, line }) => ({
        sessionId,
        toldAt: startsAt,
        student,
        line,
      })),
    });
  }
}

function changeKindOf({ toldAt, startsAt }: StaleCommunication): ChangeKind {
  if (startsAt === null) return 'cancelled';
  return toldAt === null ? 'back' : 'moved';
}

/** The same change of the same lesson is the same intent; back and forth again is another one. */
const changeKey = ({ sessionId, toldAt, startsAt }: StaleCommunication): string =>
  `${sessionId}:${toldAt?.getTime() ?? ''}>${startsAt?.getTime() ?? ''}`;

function toCorrection(communication: StaleCommunication, timeZone: string): Change {
  const { student, line, toldAt, date, startTime, endTime } = communication;
  const place =
    date === null || startTime === null || endTime === null ? null : { date, startTime, endTime };
  const said = toldAt === null ? (date ?? '') : dateInZone(timeZone, toldAt);
  // 'On again' at the old time needs no second line.
  const sameTime = toldAt === null && place !== null && line.includes(formatTimeSpan(place));
  return { student, line, date: said, now: sameTime ? null : place };
}
