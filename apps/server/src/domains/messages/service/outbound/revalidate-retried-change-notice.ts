import type { Tx } from '../../../../platform/db/database.ts';
import { communicatedSessions, type MessageRecord } from '../../queries/messages.ts';
import { isAssumedReceived } from '../../rules/find-uncommunicated-changes.ts';
import { isStillCurrent, loadCommunications, seatKey } from './find-pending-change-notices.ts';

/** Retried change notices are checked, because a retry hours later must not contradict newer messages. */
export const isRetriedNotice = (
  { kind, attempts }: MessageRecord,
  previousAttempts: number,
): boolean => kind === 'lesson_change' && (attempts > 0 || previousAttempts > 0);

/** Whether a notice whose first attempt failed may still be sent. */
export const isRetryStillAllowed = async (
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  now: Date,
): Promise<boolean> =>
  (await isStillCurrent(tx, tutorId, message.id)) && !(await isReplaced(tx, tutorId, message, now));

/**
 * Whether a newer notice to the same person covers every upcoming lesson of the message. Needed for changes of place, which
 * cannot be compared with the schedule.
 */
async function isReplaced(
  tx: Tx,
  tutorId: string,
  { id, channel, address }: Pick<MessageRecord, 'id' | 'channel' | 'address'>,
  now: Date,
): Promise<boolean> {
  const communicated = await communicatedSessions(tx, tutorId, id).execute();
  const upcoming = communicated.filter(
    ({ sessionStartsAt }) => sessionStartsAt !== null && sessionStartsAt > now,
  );
  const rootIds = upcoming.flatMap(({ rootSessionId }) => rootSessionId ?? []);
  const received = await loadCommunications(tx, tutorId, rootIds);
  return (
    upcoming.length > 0 &&
    upcoming.every((entry) =>
      received
        .get(`${seatKey(entry)} ${entry.recipient}`)
        ?.some(
          (each) =>
            each.messageId > id &&
            each.kind === 'lesson_change' &&
            each.channel === channel &&
            each.address === address &&
            isAssumedReceived(each),
        ),
    )
  );
}
