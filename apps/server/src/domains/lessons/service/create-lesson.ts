import type { ChangeSummary, LessonInput } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
import { incrementSequence, toIds } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { studentQuery, toStudentOrThrow } from '../../students/service/students.ts';
import { subjectQuery, toSubjectOrThrow } from '../../subjects/service.ts';
import { insertLesson, type LessonRecord } from '../queries/lessons.ts';
import { findOverlaps } from '../queries/overlaps.ts';
import { type NewSession, updateSessionsQuery } from '../queries/sessions.ts';
import { horizonOf, lastGeneratedDate, occurrencesBetween } from '../rules/plan-series-change.ts';
import {
  insertPlannedSessions,
  planSessions,
  scheduleGenerationQuery,
  sessionPlanQueries,
} from './generate-sessions.ts';
import {
  changeSchedule,
  dryRun,
  resolveOverlapPairs,
  type SavedLesson,
  type ScheduleTx,
  summarizeChange,
} from './schedule-transaction.ts';

/** Saves the lesson and all its sessions in one transaction. */
export async function createLesson(
  context: Context,
  tutorId: string,
  input: LessonInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<SavedLesson> {
  return changeSchedule(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, () =>
      createLessonInTransaction(schedule, input),
    ),
  );
}

export async function previewNewLesson(
  context: Context,
  tutorId: string,
  input: LessonInput,
): Promise<ChangeSummary> {
  const saved = await dryRun(context, tutorId, (schedule) =>
    createLessonInTransaction(schedule, { ...input, acceptOverlaps: true }),
  );
  return saved.consequences;
}

/** For callers that create several lessons in one transaction. */
export async function createLessonInTransaction(
  schedule: ScheduleTx,
  input: LessonInput,
): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = schedule;
  const horizon = horizonOf(today);
  const endDate = input.isRecurring ? (input.recurringEndDate ?? null) : null;
  const generatedUntil = input.isRecurring ? lastGeneratedDate(endDate, horizon) : input.date;
  const allDates = input.isRecurring
    ? occurrencesBetween(input.recurringPattern, input.date, input.date, generatedUntil)
    : [input.date];
  // A series that starts in the past gets sessions from today onwards, unless its past lessons count as taught.
  const includesPast = !input.isRecurring || input.pastSessions === 'taught';
  const dates = includesPast ? allDates : allDates.filter((date) => date >= today);
  const [students, subjects, lessonSequence, sessionSequence, timeOffs] = await executeBatch(tx, [
    studentQuery(tx, tutorId, input.studentId),
    subjectQuery(tx, tutorId, input.subjectId),
    incrementSequence(tx, tutorId, 'lesson', 1),
    ...sessionPlanQueries(schedule, input, dates),
  ]);
  toStudentOrThrow(students);
  toSubjectOrThrow(subjects);
  if (dates.length === 0) throw noSessionsError();
  const [lessonId] = toIds(lessonSequence, 1) as [number];
  const sessions = planSessions(schedule, input, dates, sessionSequence, timeOffs);
  const lesson: LessonRecord = {
    id: lessonId,
    studentId: input.studentId,
    subjectId: input.subjectId,
    title: input.title,
    firstDate: dates[0] ?? input.date,
    startTime: input.startTime,
    endTime: input.endTime,
    fee: input.fee ? toMinor(input.fee) : null,
    currency: input.currency,
    place: input.place || null,
    notes: input.notes || null,
    isRecurring: input.isRecurring,
    pattern: input.recurringPattern,
    recurrenceStart: input.date,
    endDate,
    generatedUntil,
    continuesLessonId: null,
  };
  const completedIds =
    input.isRecurring && input.pastSessions === 'taught' ? pastSessionIds(sessions, today) : [];
  const ids = sessions.map((session) => session.id);
  const completed = { status: 'completed', attendance: 'attended' } as const;
  const [, , , overlapPairs] = await executeBatch(tx, [
    insertLesson(tx, tutorId, { ...lesson, createdAt: now }),
    insertPlannedSessions(schedule, lesson, sessions),
    updateSessionsQuery(tx, tutorId, completedIds, completed),
    findOverlaps(tx, tutorId, ids),
    scheduleGenerationQuery(schedule, lesson),
  ]);
  const overlaps = await resolveOverlapPairs(schedule, overlapPairs, input.acceptOverlaps);
  return {
    lessonId,
    sessionId: ids[0] ?? null,
    consequences: summarizeChange({ created: ids.length, dates, overlaps }),
  };
}

/** Past sessions of a new series, except those that fall within time off. */
const pastSessionIds = (sessions: readonly NewSession[], today: string): number[] =>
  sessions
    .filter((session) => session.date < today && session.timeOffId === null)
    .map((session) => session.id);

function noSessionsError(): AppError {
  const message = 'This lesson would have no sessions from today on';
  return new AppError('invalid', message, { fields: { recurringEndDate: message } });
}
