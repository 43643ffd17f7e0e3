import type { Consequences, LessonInput } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { putOnAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { together } from '../../../platform/together.ts';
import { studentInBook } from '../../students/service/students.ts';
import { subjectForLesson } from '../../subjects/service.ts';
import { insertLesson, type LessonRecord } from '../queries/lessons.ts';
import { type NewSession, updateSessions } from '../queries/sessions.ts';
import { horizonOf, lastDay } from '../rules/horizon.ts';
import { places } from '../rules/series.ts';
import { planSessions, writeSessions } from './add-sessions.ts';
import { consequencesOf } from './consequences.ts';
import { settleNewOverlaps } from './overlaps.ts';
import { changeSchedule, type OpenBook, rehearse } from './schedule.ts';

export interface SavedLesson {
  lessonId: number;
  sessionId: number | null;
  consequences: Consequences;
}

/** On the agenda of a tutor who has a lesson that goes on. */
export const HORIZON = 'generate-sessions';
export const HORIZON_DAYS = 7;

/** The lesson and all its sessions are saved together. */
export async function createLesson(
  context: Context,
  tutorId: string,
  input: LessonInput,
  repeat: Repeatable | null,
): Promise<SavedLesson> {
  return changeSchedule(context, tutorId, (book) =>
    once(book.tx, tutorId, repeat, book.now, () => addLesson(book, input)),
  );
}

export async function previewNewLesson(
  context: Context,
  tutorId: string,
  input: LessonInput,
): Promise<Consequences> {
  const saved = await rehearse(context, tutorId, (book) =>
    addLesson(book, { ...input, acceptOverlaps: true }),
  );
  return saved.consequences;
}

/** The same in a book that is open already, for whoever adds several. */
export async function addLesson(book: OpenBook, input: LessonInput): Promise<SavedLesson> {
  const { tx, tutorId, now, today } = book;
  const horizon = horizonOf(today);
  const endDate = input.isRecurring ? (input.recurringEndDate ?? null) : null;
  const materialisedTo = input.isRecurring ? lastDay(endDate, horizon) : input.date;
  const all = input.isRecurring
    ? places(input.recurringPattern, input.date, input.date, materialisedTo)
    : [input.date];
  // A series that begins in the past starts from today, unless its earlier lessons are to be counted as taught.
  const keepsPast = !input.isRecurring || input.earlier === 'taught';
  const dates = keepsPast ? all : all.filter((date) => date >= today);
  const [, , [lessonId], sessions] = await together([
    studentInBook(tx, tutorId, input.studentId),
    subjectForLesson(tx, tutorId, input.subjectId),
    takeIds(tx, tutorId, 'lesson') as Promise<[number]>,
    planSessions(book, input, dates),
  ]);
  if (dates.length === 0) throw withoutSessions();
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
  const taught = input.isRecurring && input.earlier === 'taught' ? takenPlace(sessions, today) : [];
  const ids = sessions.map((session) => session.id);
  const [, , , overlaps] = await together([
    insertLesson(tx, tutorId, { ...lesson, createdAt: now }),
    writeSessions(book, lesson, sessions),
    updateSessions(tx, tutorId, taught, { status: 'completed', attendance: 'attended' }),
    settleNewOverlaps(book, ids, input.acceptOverlaps),
    keepGoing(book, lesson),
  ]);
  return {
    lessonId,
    sessionId: ids[0] ?? null,
    consequences: consequencesOf({ created: ids.length, dates, overlaps }),
  };
}

/** Of a series that began in the past: what was not called off. */
const takenPlace = (sessions: readonly NewSession[], today: string): number[] =>
  sessions
    .filter((session) => session.date < today && session.timeOffId === null)
    .map((session) => session.id);

function withoutSessions(): AppError {
  const message = 'This lesson would have no sessions from today on';
  return new AppError('invalid', message, { fields: { recurringEndDate: message } });
}

/** A lesson that goes on beyond its rows brings the tutor onto the horizon job's agenda. */
export async function keepGoing(book: OpenBook, lesson: LessonRecord): Promise<void> {
  const goesOn =
    lesson.isRecurring && (lesson.endDate === null || lesson.endDate > lesson.materialisedTo);
  if (goesOn) await putOnAgenda(book.tx, book.tutorId, HORIZON, addDays(book.now, HORIZON_DAYS));
}
