import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import { findLesson, type LessonRecord } from '../queries/lessons.ts';
import { findSession, type SessionRecord } from '../queries/sessions.ts';

export async function lessonInBook(tx: Tx, tutorId: string, id: number): Promise<LessonRecord> {
  const lesson = await findLesson(tx, tutorId, id);
  if (!lesson) throw noSuchLesson();
  return lesson;
}

export async function sessionInBook(tx: Tx, tutorId: string, id: number): Promise<SessionRecord> {
  const session = await findSession(tx, tutorId, id);
  if (!session) throw noSuchSession();
  return session;
}

export async function sessionOfLesson(
  tx: Tx,
  tutorId: string,
  lessonId: number,
  id: number,
): Promise<SessionRecord> {
  const session = await sessionInBook(tx, tutorId, id);
  if (session.lessonId !== lessonId) throw noSuchSession();
  return session;
}

export const noSuchLesson = (): AppError =>
  new AppError('not_found', 'That lesson is not in your book.');
export const noSuchSession = (): AppError => new AppError('not_found', 'Session not found');

const words = {
  scheduled: 'still scheduled',
  completed: 'already completed',
  cancelled: 'cancelled',
  rescheduled: 'moved to another time',
} as const;

/** Only a scheduled session can be completed, cancelled or moved. */
export function mustBeScheduled(session: SessionRecord): void {
  if (session.status === 'scheduled') return;
  throw new AppError('conflict', `This session is ${words[session.status]}.`);
}
