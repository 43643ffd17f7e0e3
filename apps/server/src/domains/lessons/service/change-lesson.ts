import type { Consequences, LessonChange } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { studentInBook } from '../../students/service/students.ts';
import { subjectForLesson } from '../../subjects/service.ts';
import type { SessionRecord } from '../queries/sessions.ts';
import { changedFields, type FieldChanges, notesOf } from '../rules/fields.ts';
import { changeSeries } from './change-series.ts';
import { changeOneSession } from './change-session.ts';
import type { SavedLesson } from './create-lesson.ts';
import { lessonInBook, sessionOfLesson } from './find.ts';
import { changeSchedule, type OpenBook, rehearse } from './schedule.ts';

export async function updateLesson(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: LessonChange,
  repeat: Repeatable | null,
): Promise<SavedLesson> {
  return changeSchedule(context, tutorId, (book) =>
    once(book.tx, tutorId, repeat, book.now, () => changeLesson(book, lessonId, input)),
  );
}

export async function previewLessonChange(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: LessonChange,
): Promise<Consequences> {
  const saved = await rehearse(context, tutorId, (book) =>
    changeLesson(book, lessonId, { ...input, acceptOverlaps: true }),
  );
  return saved.consequences;
}

async function changeLesson(
  book: OpenBook,
  lessonId: number,
  input: LessonChange,
): Promise<SavedLesson> {
  const { tx, tutorId } = book;
  const lesson = await lessonInBook(tx, tutorId, lessonId);
  const chosen = await sessionOfLesson(tx, tutorId, lessonId, input.sessionId);
  const changes = changedFields({ ...chosen, notes: notesOf(chosen, lesson) }, input);
  mustKeepInvoiced(chosen, changes);
  if (changes.studentId !== undefined) await studentInBook(tx, tutorId, changes.studentId);
  if (changes.subjectId !== undefined) await subjectForLesson(tx, tutorId, changes.subjectId);
  // A lesson with one session has nothing to follow; making it repeat is a change of the whole.
  const single = !lesson.isRecurring && !input.isRecurring;
  if (single || (input.scope === 'this' && lesson.isRecurring)) {
    return changeOneSession(book, lesson, chosen, input, changes);
  }
  return changeSeries(book, lesson, chosen, input, changes);
}

/** An issued invoice says who was taught and for how much: that is corrected by a credit note, not by an edit. */
function mustKeepInvoiced(session: SessionRecord, changes: FieldChanges): void {
  const touchesMoney =
    changes.studentId !== undefined || changes.fee !== undefined || changes.currency !== undefined;
  if (session.status !== 'scheduled' || !session.hasCharge || !touchesMoney) return;
  throw new AppError(
    'conflict',
    'This lesson is on an invoice, so its student and fee stay. Make a credit note to change them.',
  );
}
