import type { LessonInput } from '@lessonbook/contract/lessons';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { mapWithPauses } from '../../../platform/map-with-pauses.ts';
import { scheduledSessionsOn } from '../queries/overlaps.ts';
import { timeOffBetween } from '../queries/time-off.ts';
import { findPlannedOverlaps, type TimedSession } from '../rules/planned-overlaps.ts';
import { planDates, toRoster } from './create-lesson.ts';
import { planSessions } from './generate-sessions.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/** The first overlap between a session of the lesson and another session. */
export interface FirstOverlap {
  date: string;
  withTitle: string;
  withStartTime: string;
}

interface DatedSession extends TimedSession {
  date: string;
  title: string;
  startTime: string;
}

/** Higher than any id in the database, so that an overlap belongs to the planned session. */
const FIRST_PLANNED_ID = 2 ** 31;
/** Planning uses the CPU, so other requests get a turn after this many lessons. */
const LESSONS_BETWEEN_PAUSES = 5;

/**
 * Plans the lessons one after the other. For each lesson, returns its first overlap, null if there is none, or the error
 * that prevents its creation. Writes nothing. The number of SQL queries does not depend on the number of lessons.
 */
export async function previewNewLessons(
  schedule: ScheduleTx,
  inputs: readonly LessonInput[],
  assertInTime: () => void,
): Promise<(FirstOverlap | null | AppError)[]> {
  const { tx, tutorId } = schedule;
  const planned: DatedSession[] = [];
  const pauses = { every: LESSONS_BETWEEN_PAUSES, afterPause: assertInTime };
  const dates = await mapWithPauses(inputs, pauses, (input) => planDatesOrError(schedule, input));
  const allDates = [
    ...new Set(dates.flatMap((each) => (each instanceof AppError ? [] : each))),
  ].toSorted();
  const [timeOffRanges, existing] = await executeBatch(tx, [
    timeOffBetween(
      tx,
      tutorId,
      allDates[0] ?? schedule.today,
      allDates.at(-1) ?? schedule.today,
      inputs.map(({ studentId }) => studentId),
    ),
    scheduledSessionsOn(tx, tutorId, allDates),
  ]);
  const plannedIds = await mapWithPauses(inputs, pauses, (input, index) => {
    const own = dates[index] as string[] | AppError;
    if (own instanceof AppError) return own;
    const ids = own.map((_, offset) => FIRST_PLANNED_ID + planned.length + offset);
    const lesson = { ...input, roster: toRoster(input) };
    const sessions = planSessions(
      schedule,
      lesson,
      own,
      ids,
      input.isRecurring ? timeOffRanges : [],
    );
    const { title, startTime } = input;
    planned.push(...sessions.map((session) => ({ ...session, title, startTime })));
    // Sessions during time off are saved as cancelled.
    return sessions.filter(({ timeOffId }) => timeOffId === null).map(({ id }) => id);
  });
  const expectedIds = new Set(plannedIds.flatMap((ids) => (ids instanceof AppError ? [] : ids)));
  const overlaps = findPlannedOverlaps(
    planned.filter(({ id }) => expectedIds.has(id)),
    existing,
  );
  return plannedIds.map((ids) => {
    if (ids instanceof AppError) return ids;
    const id = ids.find((each) => overlaps.has(each));
    const [other] = id === undefined ? [] : (overlaps.get(id) ?? []);
    if (!other) return null;
    return { date: other.date, withTitle: other.title, withStartTime: other.startTime };
  });
}

function planDatesOrError(schedule: ScheduleTx, input: LessonInput): string[] | AppError {
  try {
    return planDates(schedule, input).dates;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
