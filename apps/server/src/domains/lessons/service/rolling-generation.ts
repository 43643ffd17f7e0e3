import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Overlap } from '@lessonbook/contract/errors';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { forEachDueTutor } from '../../../platform/queue/for-each-due-tutor.ts';
import { completeWork, lockScheduledWork } from '../../../platform/queue/tenant-schedule.ts';
import { overlapsFound } from '../events.ts';
import { lessonIdsToExtend, saveLesson } from '../queries/lessons.ts';
import { horizonOf, lastGeneratedDate, occurrencesBetween } from '../rules/plan-series-change.ts';
import {
  GENERATE_SESSIONS,
  GENERATION_INTERVAL_DAYS,
  generateSessions,
} from './generate-sessions.ts';
import { getLessonOrThrow } from './guards.ts';
import { resolveNewOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

/** Extends the series of every tutor for whom this is due, in one transaction per tutor. */
export const extendAllSeries = (context: Context): Promise<void> =>
  forEachDueTutor(context, GENERATE_SESSIONS, (tutorId) => extendSeriesForTutor(context, tutorId));

/** Idempotent: continues after the last generated session. */
export async function extendSeriesForTutor(context: Context, tutorId: string): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    await lockScheduledWork(schedule.tx, tutorId, GENERATE_SESSIONS);
    const horizon = horizonOf(schedule.today);
    const overlaps: Overlap[] = [];
    for (const lessonId of await lessonIdsToExtend(schedule.tx, tutorId, horizon)) {
      overlaps.push(...(await extendLesson(schedule, lessonId, horizon)));
    }
    if (overlaps.length > 0) {
      await context.events.publish(schedule.tx, overlapsFound, { tutorId, overlaps });
    }
    await completeWork(
      schedule.tx,
      tutorId,
      GENERATE_SESSIONS,
      add24HourDays(schedule.now, GENERATION_INTERVAL_DAYS),
    );
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
    lesson.recurrenceStart,
    addDaysToDate(lesson.generatedUntil, 1),
    to,
  );
  const created = await generateSessions(schedule, lesson, dates);
  // A job cannot ask the tutor to confirm overlaps, so they are accepted and reported in an event.
  const overlaps = await resolveNewOverlaps(
    schedule,
    created.map((session) => session.id),
    true,
  );
  await saveLesson(schedule.tx, schedule.tutorId, { ...lesson, generatedUntil: to });
  return overlaps;
}
