import { plusDays } from '@lessonbook/contract/dates';
import type { Overlap } from '@lessonbook/contract/errors';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { overlapsFound } from '../events.ts';
import { lessonsShortOf, saveLesson } from '../queries/lessons.ts';
import { horizonOf, lastDay } from '../rules/horizon.ts';
import { places } from '../rules/series.ts';
import { addSessions } from './add-sessions.ts';
import { HORIZON, HORIZON_DAYS } from './create-lesson.ts';
import { lessonInBook } from './find.ts';
import { settleNewOverlaps } from './overlaps.ts';
import { changeSchedule, type OpenBook } from './schedule.ts';

const AT_ONCE = 50;

/** Moves every tutor's horizon forward, a few tutors at a time, each in a transaction of its own. */
export async function moveHorizons(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, HORIZON, clock.now(), AT_ONCE));
    if (due.length === 0) return;
    for (const tutorId of due) await moveHorizon(context, tutorId);
  }
}

/** Runs as often as it likes: it goes on from where the rows end. */
export async function moveHorizon(context: Context, tutorId: string): Promise<void> {
  await changeSchedule(context, tutorId, async (book) => {
    await lockAgenda(book.tx, tutorId, HORIZON);
    const horizon = horizonOf(book.today);
    const overlaps: Overlap[] = [];
    for (const lessonId of await lessonsShortOf(book.tx, tutorId, horizon)) {
      overlaps.push(...(await extendLesson(book, lessonId, horizon)));
    }
    if (overlaps.length > 0) {
      await context.events.publish(book.tx, overlapsFound, { tutorId, overlaps });
    }
    await settleAgenda(book.tx, tutorId, HORIZON, addDays(book.now, HORIZON_DAYS));
  });
}

async function extendLesson(book: OpenBook, lessonId: number, horizon: string): Promise<Overlap[]> {
  const lesson = await lessonInBook(book.tx, book.tutorId, lessonId);
  const to = lastDay(lesson.endDate, horizon);
  const dates = places(lesson.pattern, lesson.anchorDate, plusDays(lesson.materialisedTo, 1), to);
  const added = await addSessions(book, lesson, dates);
  // Nobody is there to be asked: what overlaps a year from now is accepted, told, and can be moved then.
  const overlaps = await settleNewOverlaps(
    book,
    added.map((session) => session.id),
    true,
  );
  await saveLesson(book.tx, book.tutorId, { ...lesson, materialisedTo: to });
  return overlaps;
}
