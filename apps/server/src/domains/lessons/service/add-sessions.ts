import { takeIds } from '../../../platform/counters.ts';
import { together } from '../../../platform/together.ts';
import type { LessonRecord } from '../queries/lessons.ts';
import { insertSessions, type NewSession } from '../queries/sessions.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { instantsOf } from '../rules/instants.ts';
import { covers } from '../rules/time-off.ts';
import type { OpenBook } from './schedule.ts';

/** Makes a lesson's sessions on these dates, in order. */
export async function addSessions(
  book: OpenBook,
  lesson: LessonRecord,
  dates: readonly string[],
): Promise<NewSession[]> {
  const sessions = await planSessions(book, lesson, dates);
  await writeSessions(book, lesson, sessions);
  return sessions;
}

/** With their ids and instants; those inside time off know by which they are called off. */
export async function planSessions(
  { tx, tutorId, timeZone }: OpenBook,
  lesson: Pick<LessonRecord, 'startTime' | 'endTime' | 'isRecurring'>,
  dates: readonly string[],
): Promise<NewSession[]> {
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [ids, away] = await together([
    takeIds(tx, tutorId, 'session', dates.length),
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
    ...instantsOf(timeZone, { date, startTime, endTime }),
    timeOffId: away.find((off) => covers(off, { date, startTime, endTime }))?.id ?? null,
  }));
}

export const writeSessions = (
  { tx, tutorId, now }: OpenBook,
  lesson: LessonRecord,
  sessions: readonly NewSession[],
): Promise<void> => insertSessions(tx, tutorId, { ...lesson, lessonId: lesson.id }, sessions, now);
