import { addDaysToInstant } from '@lessonbook/contract/time';
import { executeBatch } from '../../../platform/db/batch.ts';
import { incrementSequence, toIds } from '../../../platform/db/tutor-scoped-ids.ts';
import { scheduleWorkQuery } from '../../../platform/queue/tenant-schedule.ts';
import type { LessonRecord } from '../queries/lessons.ts';
import { insertSessions, type NewSession } from '../queries/sessions.ts';
import { type TimeOffRange, timeOffBetween } from '../queries/time-off.ts';
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
  if (dates.length === 0) return [];
  const [ids, timeOffs] = await executeBatch(
    schedule.tx,
    sessionPlanQueries(schedule, lesson, dates),
  );
  const sessions = planSessions(schedule, lesson, dates, ids, timeOffs);
  await insertPlannedSessions(schedule, lesson, sessions).execute();
  return sessions;
}

/** The statements whose rows `planSessions` needs, for a batch. */
export const sessionPlanQueries = (
  { tx, tutorId }: ScheduleTx,
  lesson: Pick<LessonRecord, 'isRecurring'>,
  dates: readonly string[],
) =>
  [
    dates.length === 0 ? null : incrementSequence(tx, tutorId, 'session', dates.length),
    // A one-off lesson during time off is assumed to be intentional.
    lesson.isRecurring && dates[0] !== undefined
      ? timeOffBetween(tx, tutorId, dates[0], dates.at(-1) ?? dates[0])
      : null,
  ] as const;

/** Assigns ids and instants. A session in a series that falls within time off gets a `timeOffId`. */
export function planSessions(
  { timeZone }: ScheduleTx,
  { startTime, endTime }: Pick<LessonRecord, 'startTime' | 'endTime'>,
  dates: readonly string[],
  sequence: readonly { lastId: number }[],
  timeOffs: readonly TimeOffRange[],
): NewSession[] {
  const ids = toIds(sequence, dates.length);
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
) => insertSessions(tx, tutorId, { ...lesson, lessonId: lesson.id }, sessions, now);

/** Schedules the job that extends the series; null unless the lesson continues beyond its generated sessions. */
export function scheduleGenerationQuery({ tx, tutorId, now }: ScheduleTx, lesson: LessonRecord) {
  const isOngoing =
    lesson.isRecurring && (lesson.endDate === null || lesson.endDate > lesson.generatedUntil);
  if (!isOngoing) return null;
  const dueAt = addDaysToInstant(now, GENERATION_INTERVAL_DAYS);
  return scheduleWorkQuery(tx, tutorId, GENERATE_SESSIONS, dueAt);
}
