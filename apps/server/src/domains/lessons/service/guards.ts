import { MAX_GROUP_STUDENTS } from '@lessonbook/contract/sessions';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { canUseGoogleMeet } from '../queries/google-meet-availability.ts';
import { findLesson, type LessonRecord } from '../queries/lessons.ts';
import { findSession, type SessionRecord } from '../queries/sessions.ts';
import { type FieldChanges, hasSeatChanges } from '../rules/lesson-field-changes.ts';
import { filterExpectedSeats } from '../rules/seat-fees-and-rosters.ts';

export async function getLessonOrThrow(tx: Tx, tutorId: string, id: number): Promise<LessonRecord> {
  const lesson = await findLesson(tx, tutorId, id);
  if (!lesson) throw lessonNotFound();
  return lesson;
}

/** Throws if the lesson was deleted. Its past sessions can be completed or cancelled, but not scheduled again. */
export async function getLessonOfSessionOrThrow(
  tx: Tx,
  tutorId: string,
  { lessonId }: Pick<SessionRecord, 'lessonId'>,
): Promise<LessonRecord> {
  const lesson = await findLesson(tx, tutorId, lessonId);
  if (!lesson) throw new AppError('conflict', LESSON_DELETED_MESSAGE);
  return lesson;
}

export const LESSON_DELETED_MESSAGE = 'This lesson has been deleted.';

export async function getSessionOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<SessionRecord> {
  const session = await findSession(tx, tutorId, id);
  if (!session) throw sessionNotFound();
  return session;
}

export async function getLessonSessionOrThrow(
  tx: Tx,
  tutorId: string,
  lessonId: number,
  id: number,
): Promise<SessionRecord> {
  const session = await getSessionOrThrow(tx, tutorId, id);
  if (session.lessonId !== lessonId) throw sessionNotFound();
  return session;
}

export const lessonNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that lesson.");
export const sessionNotFound = (): AppError => new AppError('not_found', 'Session not found');

export const studentNotInSessionError = (): AppError =>
  new AppError('not_found', "That student isn't in this lesson.");

export const severalStudentsError = (): AppError =>
  new AppError(
    'conflict',
    'This lesson has several students. Please change the students and their fees one by one.',
  );

/** The tutor may exceed the group's own maximum, but not the limit for all groups. */
export function assertGroupSize(
  students: number,
  maxStudents: number | null | undefined,
  acceptFull: boolean | undefined,
): void {
  if (students > MAX_GROUP_STUDENTS)
    throw new AppError('conflict', `A lesson can have up to ${MAX_GROUP_STUDENTS} students.`);
  if (!maxStudents || students <= maxStudents || acceptFull) return;
  const places = maxStudents === 1 ? '1 place' : `${maxStudents} places`;
  throw new AppError(
    'group_full',
    `This group has ${places}, and this would make ${students} students.`,
  );
}

/** The link is created with the calendar event, so a calendar must be connected. */
export async function assertCanUseGoogleMeet(tx: Tx, tutorId: string): Promise<void> {
  if (await canUseGoogleMeet(tx, tutorId)) return;
  const message =
    "Google Meet isn't available. Connect Google Calendar with an account that has Google Meet, or enter your own link.";
  throw new AppError('invalid', message, { fields: { place: message } });
}

/** A session can have more students than the roster: those who left keep seats that were cancelled or completed. */
export function assertSingleSeats(
  sessions: readonly Pick<SessionRecord, 'seats'>[],
  changes: FieldChanges,
): void {
  if (!hasSeatChanges(changes)) return;
  // The new student may already have a cancelled seat.
  const hasSeveral = ({ seats }: Pick<SessionRecord, 'seats'>) =>
    (changes.studentId === undefined ? filterExpectedSeats(seats) : seats).length > 1;
  if (sessions.some(hasSeveral)) throw severalStudentsError();
}

export const STATUS_LABELS = {
  scheduled: 'is still scheduled',
  completed: 'is already completed',
  cancelled: 'is cancelled',
  rescheduled: 'has been moved to another time',
} as const;

/** Only a scheduled session can be completed, cancelled or rescheduled. */
export function assertScheduled(session: SessionRecord): void {
  if (session.status === 'scheduled') return;
  throw new AppError('conflict', `This lesson ${STATUS_LABELS[session.status]}.`);
}
