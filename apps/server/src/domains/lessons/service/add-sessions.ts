import { takeIds } from '../../../platform/counters.ts';
import type { LessonRecord } from '../queries/lessons.ts';
import { insertSessions } from '../queries/sessions.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { instantsOf } from '../rules/instants.ts';
import { covers } from '../rules/time-off.ts';
import type { OpenBook } from './schedule.ts';

export interface AddedSession {
  id: number;
  date: string;
  /** The time off that called it off at once. */
  timeOffId: number | null;
}

/** Makes a lesson's sessions on these dates, in order. */
export async function addSessions(
  book: OpenBook,
  lesson: LessonRecord,
  dates: readonly string[],
): Promise<AddedSession[]> {
  const { tx, tutorId, timeZone, now } = book;
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ids = await takeIds(tx, tutorId, 'session', dates.length);
  // A single lesson that is put into time off is put there on purpose.
  const away = lesson.isRecurring ? await timeOffBetween(tx, tutorId, first, last) : [];
  const { startTime, endTime } = lesson;
  const rows = dates.map((date, index) => ({
    id: ids[index] as number,
    occurrenceDate: date,
    slot: date,
    date,
    startTime,
    endTime,
    ...instantsOf(timeZone, { date, startTime, endTime }),
    timeOffId: away.find((off) => covers(off, { date, startTime, endTime }))?.id ?? null,
  }));
  await insertSessions(tx, tutorId, { ...lesson, lessonId: lesson.id }, rows, now);
  return rows;
}
