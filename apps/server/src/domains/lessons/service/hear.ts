import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { archiveLesson, lessonsOfStudent, saveLesson } from '../queries/lessons.ts';
import { deferConstraints } from '../queries/overlaps.ts';
import { retimeSessions } from '../queries/session-times.ts';
import { comingOfStudent, comingSessions, rowsOfLesson } from '../queries/sessions.ts';
import { instantsOf } from '../rules/instants.ts';
import { cancelFree, forgetTimeOff } from './delete-lesson.ts';
import { lessonInBook } from './find.ts';
import { settleOverlaps } from './overlaps.ts';
import { type OpenBook, openBook } from './schedule.ts';

/** A student who leaves takes the lessons to come along; what was taught stays. */
export async function hearStudentArchived(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const book = await openBook(context, tx, tutorId);
  await cancelFree(book, await comingOfStudent(tx, tutorId, studentId, book.now));
  for (const lessonId of await lessonsOfStudent(tx, tutorId, studentId)) {
    await endLesson(book, lessonId);
  }
}

/** Gone from every list, unless a session of somebody else stands in it: then it only goes no further. */
async function endLesson(book: OpenBook, lessonId: number): Promise<void> {
  const { tx, tutorId, now, today } = book;
  const rows = await rowsOfLesson(tx, tutorId, lessonId);
  await forgetTimeOff(book, rows);
  const goesOn = rows.some((row) => row.status === 'scheduled' && row.endsAt > now);
  if (!goesOn) return archiveLesson(tx, tutorId, lessonId, now);
  const lesson = await lessonInBook(tx, tutorId, lessonId);
  await saveLesson(tx, tutorId, {
    ...lesson,
    endDate: today,
    materialisedTo: lesson.materialisedTo,
  });
}

/** A tutor who moves keeps the hours on the wall: 16:00 stays 16:00, only the instants change. */
export async function hearTimeZoneChanged(
  context: Context,
  tx: Tx,
  { tutorId, timeZone }: { tutorId: string; timeZone: string },
): Promise<void> {
  await deferConstraints(tx);
  const book = { ...(await openBook(context, tx, tutorId)), timeZone };
  const coming = await comingSessions(tx, tutorId, book.now);
  await retimeSessions(
    tx,
    tutorId,
    coming.map((session) => ({ id: session.id, ...instantsOf(timeZone, session) })),
  );
  // Shifted together they meet nobody new, except on the nights when the two places change their clocks.
  await settleOverlaps(
    book,
    coming.map((session) => session.id),
    true,
  );
}
