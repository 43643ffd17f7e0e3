import { addDaysToInstant } from '@lessonbook/contract/time';
import { pipelineAll } from '../../../platform/db/pipeline.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import type { LessonRecord } from '../queries/lessons.ts';
import { insertSessions, type NewSession } from '../queries/sessions.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { coversSession } from '../rules/time-off.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/** The tenant_schedule kind for extending series. A tutor has an entry while a lesson continues beyond its generated sessions. */
export const GENERATE_SESSIONS = 'generate-sessions';
export const GENERATION_INTERVAL_DAYS = 7;

/** Inserts a session for each date and returns the sessions in the same order. */
export async function generateSessions(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  dates: readonly string[],
): Promise<NewSession[]> {
  const sessions = await planSessions(schedule, lesson, dates);
  await insertPlannedSessions(schedule, lesson, sessions);
  return sessions;
}

/** Assigns ids and instants. A session in a series that falls within time off gets a `timeOffId`. */
export async function planSessions(
  { tx, tutorId, timeZone }: ScheduleTx,
  lesson: Pick<LessonRecord, 'startTime' | 'endTime' | 'isRecurring'>,
  dates: readonly string[],
): Promise<NewSession[]> {
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [ids, timeOffs] = await pipelineAll([
    nextIdsForKind(tx, tutorId, 'session', dates.length),
    // A one-off lesson during time off is assumed to be intentional.
    lesson.isRecurring ? timeOffBetween(tx, tutorId, first, last) : [],
  ]);
  const { startTime, endTime } = lesson;
  return dates.map((date, index) => ({
    id: ids[index] as number,
    occurrenceDate: date,
    seriesDate: date,
    date,
    startTime,
    endTime,
    ...toInstants(timeZone, { date, startTime, endTime }),
    timeOffId:
      timeOffs.find((timeOff) => coversSession(timeOff, { date, startTime, endTime }))?.id ?? null,
  }));
}

export const insertPlannedSessions = (
  { tx, tutorId, now }: ScheduleTx,
  lesson: LessonRecord,
  sessions: readonly NewSession[],
): Promise<void> => insertSessions(tx, tutorId, { ...lesson, lessonId: lesson.id }, sessions, now);

/** Schedules the job that extends the series if the lesson continues beyond its generated sessions. */
export async function scheduleGeneration(
  { tx, tutorId, now }: ScheduleTx,
  lesson: LessonRecord,
): Promise<void> {
  const isOngoing =
    lesson.isRecurring && (lesson.endDate === null || lesson.endDate > lesson.generatedUntil);
  if (isOngoing)
    await scheduleWork(
      tx,
      tutorId,
      GENERATE_SESSIONS,
      addDaysToInstant(now, GENERATION_INTERVAL_DAYS),
    );
}
