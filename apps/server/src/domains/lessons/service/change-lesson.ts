import type { Consequences, LessonChange } from '@lessonbook/contract/lessons';
import type { Context } from '../../../context.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { studentInBook } from '../../students/service/students.ts';
import { subjectForLesson } from '../../subjects/service.ts';
import { changedFields, notesOf } from '../rules/fields.ts';
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
  if (changes.studentId !== undefined) await studentInBook(tx, tutorId, changes.studentId);
  if (changes.subjectId !== undefined) await subjectForLesson(tx, tutorId, changes.subjectId);
  // A lesson with one session has nothing to follow; making it repeat is a change of the whole.
  const single = !lesson.isRecurring && !input.isRecurring;
  if (single || (input.scope === 'this' && lesson.isRecurring)) {
    return changeOneSession(book, lesson, chosen, input, changes);
  }
  return changeSeries(book, lesson, chosen, input, changes);
}
