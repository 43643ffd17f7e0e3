import type { Consequences, Scope } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { sessionsFreed } from '../events.ts';
import { archiveLesson, saveLesson } from '../queries/lessons.ts';
import { rowsOfLesson, type SessionRecord, updateSessions } from '../queries/sessions.ts';
import { endedBefore } from '../rules/horizon.ts';
import { placeOf, type StayReason } from '../rules/series.ts';
import { consequencesOf } from './consequences.ts';
import { lessonInBook, mustBeScheduled, sessionOfLesson } from './find.ts';
import { settleOverlaps } from './overlaps.ts';
import { changeSchedule, type OpenBook, rehearse } from './schedule.ts';

interface Deletion {
  lessonId: number;
  scope: Scope;
  sessionId: number;
}

export const deleteLesson = (
  context: Context,
  tutorId: string,
  deletion: Deletion,
): Promise<Consequences> =>
  changeSchedule(context, tutorId, (book) => removeFromLesson(book, deletion));

export const previewDelete = (
  context: Context,
  tutorId: string,
  deletion: Deletion,
): Promise<Consequences> => rehearse(context, tutorId, (book) => removeFromLesson(book, deletion));

/** Deleting cancels without a fee and keeps the rows, so nothing comes back with the horizon and nothing is lost. */
async function removeFromLesson(
  book: OpenBook,
  { lessonId, scope, sessionId }: Deletion,
): Promise<Consequences> {
  const { tx, tutorId, now } = book;
  const lesson = await lessonInBook(tx, tutorId, lessonId);
  const chosen = await sessionOfLesson(tx, tutorId, lessonId, sessionId);
  const rows = await rowsOfLesson(tx, tutorId, lessonId);
  const place = placeOf(chosen);
  const whole =
    scope === 'all' ||
    !lesson.isRecurring ||
    (scope === 'following' && rows.every((row) => placeOf(row) >= place));
  if (scope === 'this' && lesson.isRecurring) {
    mustBeScheduled(chosen);
    await cancelFree(book, [chosen.id]);
    return consequencesOf({ removed: 1, dates: [chosen.date] });
  }
  const inScope = rows.filter((row) => whole || placeOf(row) >= place);
  await forgetTimeOff(book, inScope);
  const going = inScope.filter((row) => row.status === 'scheduled');
  await cancelFree(
    book,
    going.map((row) => row.id),
  );
  if (whole) {
    await archiveLesson(tx, tutorId, lessonId, now);
  } else {
    await saveLesson(tx, tutorId, endedBefore(lesson, place));
  }
  return consequencesOf({
    removed: going.length,
    stays: inScope.flatMap(settled),
    dates: going.map((row) => row.date),
  });
}

function settled(row: SessionRecord): { id: number; reason: StayReason }[] {
  return row.status === 'completed' || row.status === 'cancelled'
    ? [{ id: row.id, reason: row.status }]
    : [];
}

/** What is deleted must not come back when the time off that had called it off is taken back. */
export async function forgetTimeOff(book: OpenBook, rows: readonly SessionRecord[]): Promise<void> {
  const ids = rows.filter((row) => row.timeOffId !== null).map((row) => row.id);
  await updateSessions(book.tx, book.tutorId, ids, { time_off_id: null });
}

/** Cancelled by the tutor, who never charges for it. */
export async function cancelFree(
  book: OpenBook,
  ids: readonly number[],
  timeOffId: number | null = null,
): Promise<void> {
  await updateSessions(book.tx, book.tutorId, ids, {
    status: 'cancelled',
    cancelled_by: 'tutor',
    time_off_id: timeOffId,
  });
  await settleOverlaps(book, ids, true);
  if (ids.length === 0) return;
  const { context, tx, tutorId } = book;
  await context.events.publish(tx, sessionsFreed, { tutorId, sessionIds: [...ids] });
}
