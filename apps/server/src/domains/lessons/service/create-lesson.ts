import type { ChangeSummary, LessonInput } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { pipelineAll } from '../../../platform/db/pipeline.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { getSubjectOrThrow } from '../../subjects/service.ts';
import { insertLesson, type LessonRecord } from '../queries/lessons.ts';
import { type NewSession, updateSessions } from '../queries/sessions.ts';
import { horizonOf, lastGeneratedDate, occurrencesBetween } from '../rules/series.ts';
import { insertPlannedSessions, planSessions } from './generate-sessions.ts';
import {
  changeSchedule,
  dryRun,
  resolveNewOverlaps,
  type ScheduleTx,
  summarizeChange,
} from './schedule-transaction.ts';

export interface SavedLesson {
  lessonId: number;
  sessionId: number | null;
  consequences: ChangeSummary;
}

/** On the agenda of a tutor who has a lesson that goes on. */
export const HORIZON = 'generate-sessions';
export const HORIZON_INTERVAL_DAYS = 7;

/** The lesson and all its sessions are saved together. */
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

/** The same in a book that is open already, for whoever adds several. */
export async function createLessonInTransaction(
  schedule: ScheduleTx,
  input: LessonInput,
): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = schedule;
  const horizon = horizonOf(today);
  const endDate = input.isRecurring ? (input.recurringEndDate ?? null) : null;
  const materialisedTo = input.isRecurring ? lastGeneratedDate(endDate, horizon) : input.date;
  const all = input.isRecurring
    ? occurrencesBetween(input.recurringPattern, input.date, input.date, materialisedTo)
    : [input.date];
  // A series that begins in the past starts from today, unless its earlier lessons are to be counted as taught.
  const keepsPast = !input.isRecurring || input.earlier === 'taught';
  const dates = keepsPast ? all : all.filter((date) => date >= today);
  const [, , [lessonId], sessions] = await pipelineAll([
    getStudentOrThrow(tx, tutorId, input.studentId),
    getSubjectOrThrow(tx, tutorId, input.subjectId),
    nextIds(tx, tutorId, 'lesson') as Promise<[number]>,
    planSessions(schedule, input, dates),
  ]);
  if (dates.length === 0) throw noSessionsError();
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
    anchorDate: input.date,
    endDate,
    materialisedTo,
    continuesLessonId: null,
  };
  const taught =
    input.isRecurring && input.earlier === 'taught' ? attendedSessionIds(sessions, today) : [];
  const ids = sessions.map((session) => session.id);
  const [, , , overlaps] = await pipelineAll([
    insertLesson(tx, tutorId, { ...lesson, createdAt: now }),
    insertPlannedSessions(schedule, lesson, sessions),
    updateSessions(tx, tutorId, taught, { status: 'completed', attendance: 'attended' }),
    resolveNewOverlaps(schedule, ids, input.acceptOverlaps),
    scheduleGeneration(schedule, lesson),
  ]);
  return {
    lessonId,
    sessionId: ids[0] ?? null,
    consequences: summarizeChange({ created: ids.length, dates, overlaps }),
  };
}

/** Of a series that began in the past: what was not called off. */
const attendedSessionIds = (sessions: readonly NewSession[], today: string): number[] =>
  sessions
    .filter((session) => session.date < today && session.timeOffId === null)
    .map((session) => session.id);

function noSessionsError(): AppError {
  const message = 'This lesson would have no sessions from today on';
  return new AppError('invalid', message, { fields: { recurringEndDate: message } });
}

/** A lesson that goes on beyond its rows brings the tutor onto the horizon job's agenda. */
export async function scheduleGeneration(
  schedule: ScheduleTx,
  lesson: LessonRecord,
): Promise<void> {
  const goesOn =
    lesson.isRecurring && (lesson.endDate === null || lesson.endDate > lesson.materialisedTo);
  if (goesOn)
    await scheduleWork(
      schedule.tx,
      schedule.tutorId,
      HORIZON,
      addDays(schedule.now, HORIZON_INTERVAL_DAYS),
    );
}
