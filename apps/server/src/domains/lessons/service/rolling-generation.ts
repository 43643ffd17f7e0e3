import { plusDays } from '@lessonbook/contract/dates';
import type { Overlap } from '@lessonbook/contract/errors';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, completeWork, lockSchedule } from '../../../platform/queue/tenant-schedule.ts';
import { overlapsFound } from '../events.ts';
import { lessonsToExtend, saveLesson } from '../queries/lessons.ts';
import { horizonOf, lastGeneratedDate, occurrencesBetween } from '../rules/series.ts';
import { HORIZON, HORIZON_INTERVAL_DAYS } from './create-lesson.ts';
import { generateSessions } from './generate-sessions.ts';
import { getLessonOrThrow } from './guards.ts';
import { changeSchedule, resolveNewOverlaps, type ScheduleTx } from './schedule-transaction.ts';

const BATCH_SIZE = 50;

/** Moves every tutor's horizon forward, a few tutors at a time, each in a transaction of its own. */
export async function extendAllSeries(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.globalTransaction((tx) => claimDue(tx, HORIZON, clock.now(), BATCH_SIZE));
    if (due.length === 0) return;
    for (const tutorId of due) await extendSeriesOfTutor(context, tutorId);
  }
}

/** Runs as often as it likes: it goes on from where the rows end. */
export async function extendSeriesOfTutor(context: Context, tutorId: string): Promise<void> {
  await changeSchedule(context, tutorId, async (schedule) => {
    await lockSchedule(schedule.tx, tutorId, HORIZON);
    const horizon = horizonOf(schedule.today);
    const overlaps: Overlap[] = [];
    for (const lessonId of await lessonsToExtend(schedule.tx, tutorId, horizon)) {
      overlaps.push(...(await extendLesson(schedule, lessonId, horizon)));
    }
    if (overlaps.length > 0) {
      await context.events.publish(schedule.tx, overlapsFound, { tutorId, overlaps });
    }
    await completeWork(schedule.tx, tutorId, HORIZON, addDays(schedule.now, HORIZON_INTERVAL_DAYS));
  });
}

async function extendLesson(
  schedule: ScheduleTx,
  lessonId: number,
  horizon: string,
): Promise<Overlap[]> {
  const lesson = await getLessonOrThrow(schedule.tx, schedule.tutorId, lessonId);
  const to = lastGeneratedDate(lesson.endDate, horizon);
  const dates = occurrencesBetween(
    lesson.pattern,
    lesson.anchorDate,
    plusDays(lesson.materialisedTo, 1),
    to,
  );
  const added = await generateSessions(schedule, lesson, dates);
  // Nobody is there to be asked: what overlaps a year from now is accepted, told, and can be moved then.
  const overlaps = await resolveNewOverlaps(
    schedule,
    added.map((session) => session.id),
    true,
  );
  await saveLesson(schedule.tx, schedule.tutorId, { ...lesson, materialisedTo: to });
  return overlaps;
}
