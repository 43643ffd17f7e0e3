import type { ChangeSummary, LessonUpdate } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { getSubjectOrThrow } from '../../subjects/service.ts';
import type { SessionRecord } from '../queries/sessions.ts';
import { diffFields, effectiveNotes, type FieldChanges } from '../rules/field-diff.ts';
import type { SavedLesson } from './create-lesson.ts';
import { getLessonOrThrow, getSessionOfLessonOrThrow } from './guards.ts';
import { changeSchedule, dryRun, type ScheduleTx } from './schedule-transaction.ts';
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
  const chosen = await getSessionOfLessonOrThrow(tx, tutorId, lessonId, input.sessionId);
  const changes = diffFields({ ...chosen, notes: effectiveNotes(chosen, lesson) }, input);
  assertInvoicedFieldsUnchanged(chosen, changes);
  if (changes.studentId !== undefined) await getStudentOrThrow(tx, tutorId, changes.studentId);
  if (changes.subjectId !== undefined) await getSubjectOrThrow(tx, tutorId, changes.subjectId);
  // A lesson with one session has nothing to follow; making it repeat is a change of the whole.
  const single = !lesson.isRecurring && !input.isRecurring;
  if (single || (input.scope === 'this' && lesson.isRecurring)) {
    return updateSingleSession(schedule, lesson, chosen, input, changes);
  }
  return updateSeries(schedule, lesson, chosen, input, changes);
}

/** An issued invoice says who was taught and for how much: that is corrected by a credit note, not by an edit. */
function assertInvoicedFieldsUnchanged(session: SessionRecord, changes: FieldChanges): void {
  const touchesMoney =
    changes.studentId !== undefined || changes.fee !== undefined || changes.currency !== undefined;
  if (session.status !== 'scheduled' || !session.hasCharge || !touchesMoney) return;
  throw new AppError(
    'conflict',
    'This lesson is on an invoice, so its student and fee stay. Make a credit note to change them.',
  );
}
