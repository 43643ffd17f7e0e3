import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionMoved } from '../events.ts';
import { copyChargedFees } from '../queries/automatic-seat-fees.ts';
import { saveLesson } from '../queries/lessons.ts';
import { findSession, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { isAutomatic } from '../rules/seat-fees-and-rosters.ts';
import { restoreSessions } from './cancel-without-fee-and-restore.ts';
import { assertScheduled, getLessonOfSessionOrThrow, getSessionOrThrow } from './guards.ts';
import { repriceSessions } from './rates.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

/**
 * Undoes a reschedule. The original session becomes scheduled again, so no third row is created. The replacement is kept
 * as a rescheduled row, because a family may have been notified about it or a calendar may have its event.
 */
export async function undoReschedule(
  context: Context,
  tutorId: string,
  sessionId: number,
): Promise<number> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const { tx } = schedule;
    const replacement = await getSessionOrThrow(tx, tutorId, sessionId);
    assertScheduled(replacement);
    const original = await findOriginalOrThrow(schedule, replacement);
    const lesson = await getLessonOfSessionOrThrow(tx, tutorId, original);

    await context.events.publish(tx, sessionMoved, {
      tutorId,
      fromId: replacement.id,
      toId: original.id,
    });
    await restoreSessions(schedule, [original.id]);
    await updateSessions(tx, tutorId, [original.id], {
      rescheduled_to_id: null,
      // Both rows have the same calendar UID, and calendars ignore a change without a higher sequence number.
      sequence: Math.max(original.sequence, replacement.sequence) + 1,
    });
    await updateSessions(tx, tutorId, [replacement.id], {
      status: 'rescheduled',
      rescheduled_to_id: original.id,
    });
    if (!lesson.isRecurring) {
      const { date, startTime, endTime } = original;
      await saveLesson(tx, tutorId, {
        ...lesson,
        firstDate: date,
        recurrenceStart: date,
        generatedUntil: date,
        startTime,
        endTime,
      });
    }
    // Charged seats keep the fee that was charged; the others get the rate for the old date.
    await copyChargedFees(tx, tutorId, replacement.id, original.id);
    await repriceSessions(schedule, [original.id, replacement.id]);
    // Overlaps are accepted, including those with lessons added at the old time since the reschedule.
    await resolveOverlaps(schedule, [original.id, replacement.id], true);
    return original.id;
  });
}

/** Finds the original of a replacement session. Throws if anything other than the time has changed since. */
async function findOriginalOrThrow(
  { tx, tutorId }: ScheduleTx,
  replacement: SessionRecord,
): Promise<SessionRecord> {
  const { rescheduledFromId } = replacement;
  const original = rescheduledFromId && (await findSession(tx, tutorId, rescheduledFromId));
  if (
    !original ||
    original.status !== 'rescheduled' ||
    original.rescheduledToId !== replacement.id
  ) {
    throw new AppError('conflict', "This lesson wasn't moved from another time.");
  }
  const isUnchanged =
    (
      ['subjectId', 'lessonId', 'title', 'place', 'usesGoogleMeet', 'travelFee', 'notes'] as const
    ).every((field) => replacement[field] === original[field]) &&
    serializeSeats(replacement) === serializeSeats(original);
  if (!isUnchanged) {
    throw new AppError('conflict', 'This lesson has changed since then. Please move it yourself.');
  }
  return original;
}

/** Only expected or paused students and entered fees are compared, because a fee from a rate may depend on the time. */
const serializeSeats = ({ seats }: SessionRecord): string =>
  JSON.stringify(
    seats
      .filter(({ state, timeOffId }) => state === 'expected' || timeOffId !== null)
      .map((seat) => [seat.studentId, isAutomatic(seat) ? 'rate' : seat.fee, seat.currency]),
  );
