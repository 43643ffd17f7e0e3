import type { ChangeSummary, LessonUpdate } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { getSubjectOrThrow } from '../../subjects/service.ts';
import type { SessionRecord } from '../queries/sessions.ts';
import { diffFields, effectiveNotes, type FieldChanges } from '../rules/field-diff.ts';
import { getLessonOrThrow, getLessonSessionOrThrow } from './guards.ts';
import {
  changeSchedule,
  dryRun,
  type SavedLesson,
  type ScheduleTx,
} from './schedule-transaction.ts';
import { updateSeries } from './update-series.ts';
import { updateSingleSession } from './update-session.ts';

export async function updateLesson(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: LessonUpdate,
  idempotencyKey: IdempotencyKey | null,
): Promise<SavedLesson> {
  return changeSchedule(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, () =>
      applyLessonChange(schedule, lessonId, input),
    ),
  );
}

export async function previewLessonChange(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: LessonUpdate,
): Promise<ChangeSummary> {
  const saved = await dryRun(context, tutorId, (schedule) =>
    applyLessonChange(schedule, lessonId, { ...input, acceptOverlaps: true }),
  );
  return saved.consequences;
}

async function applyLessonChange(
  schedule: ScheduleTx,
  lessonId: number,
  input: LessonUpdate,
): Promise<SavedLesson> {
  const { tx, tutorId } = schedule;
  const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
  const chosen = await getLessonSessionOrThrow(tx, tutorId, lessonId, input.sessionId);
  const changes = diffFields({ ...chosen, notes: effectiveNotes(chosen, lesson) }, input);
  assertInvoicedFieldsUnchanged(chosen, changes);
  if (changes.studentId !== undefined) await getStudentOrThrow(tx, tutorId, changes.studentId);
  if (changes.subjectId !== undefined) await getSubjectOrThrow(tx, tutorId, changes.subjectId);
  // Making a one-off lesson recurring counts as a change to the series.
  const isSingle = !lesson.isRecurring && !input.isRecurring;
  if (isSingle || (input.scope === 'this' && lesson.isRecurring)) {
    return updateSingleSession(schedule, lesson, chosen, input, changes);
  }
  return updateSeries(schedule, lesson, chosen, input, changes);
}

/** The student and fee appear on the issued invoice, so only a credit note can correct them. */
function assertInvoicedFieldsUnchanged(session: SessionRecord, changes: FieldChanges): void {
  const changesInvoice =
    changes.studentId !== undefined || changes.fee !== undefined || changes.currency !== undefined;
  if (session.status !== 'scheduled' || !session.hasCharge || !changesInvoice) return;
  throw new AppError(
    'conflict',
    'This lesson is on an invoice, so its student and fee stay. Make a credit note to change them.',
  );
}
