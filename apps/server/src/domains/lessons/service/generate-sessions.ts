import { nextIds } from '../../../platform/db/id-sequence.ts';
import { pipelineAll } from '../../../platform/db/pipeline.ts';
import type { LessonRecord } from '../queries/lessons.ts';
import { insertSessions, type NewSession } from '../queries/sessions.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { toInstants } from '../rules/local-to-utc.ts';
import { coversSession } from '../rules/time-off.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/** Makes a lesson's sessions on these dates, in order. */
export async function generateSessions(
  schedule: ScheduleTx,
  lesson: LessonRecord,
  dates: readonly string[],
): Promise<NewSession[]> {
  const sessions = await planSessions(schedule, lesson, dates);
  await insertPlannedSessions(schedule, lesson, sessions);
  return sessions;
}

/** With their ids and instants; those inside time off know by which they are called off. */
export async function planSessions(
  { tx, tutorId, timeZone }: ScheduleTx,
  lesson: Pick<LessonRecord, 'startTime' | 'endTime' | 'isRecurring'>,
  dates: readonly string[],
): Promise<NewSession[]> {
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [ids, timeOffs] = await pipelineAll([
    nextIds(tx, tutorId, 'session', dates.length),
    // A single lesson that is put into time off is put there on purpose.
    lesson.isRecurring ? timeOffBetween(tx, tutorId, first, last) : [],
  ]);
  const { startTime, endTime } = lesson;
  return dates.map((date, index) => ({
    id: ids[index] as number,
    occurrenceDate: date,
    slot: date,
    date,
    startTime,
    endTime,
    ...toInstants(timeZone, { date, startTime, endTime }),
    timeOffId: timeOffs.find((off) => coversSession(off, { date, startTime, endTime }))?.id ?? null,
  }));
}

export const insertPlannedSessions = (
  { tx, tutorId, now }: ScheduleTx,
  lesson: LessonRecord,
  sessions: readonly NewSession[],
): Promise<void> => insertSessions(tx, tutorId, { ...lesson, lessonId: lesson.id }, sessions, now);
