import type { SessionRow } from '@lessonbook/contract/sessions';
import { MAX_TIME_OFF_SESSIONS } from '@lessonbook/contract/time-off';
import { AppError } from '../../../platform/app-error.ts';
import { sessionRowsByIds, toSessionRows } from '../queries/session-list-and-details.ts';
import { type StudentSession, sessionsToPause } from '../queries/sessions-to-pause-or-end.ts';
import { applyTimeOff } from './apply-and-lift-time-off.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/* Cancels the sessions of a student who is paused or leaves. */

export async function findSessionsToPause(
  { tx, tutorId }: ScheduleTx,
  studentId: number,
  pause: { fromDate: string; toDate: string | null },
): Promise<StudentSession[]> {
  const limit = MAX_TIME_OFF_SESSIONS + 1;
  const sessions = await sessionsToPause(tx, tutorId, studentId, pause, limit);
  if (sessions.length === limit) {
    throw new AppError(
      'invalid',
      'There are too many lessons in this period. Please choose a shorter one.',
    );
  }
  return sessions;
}

export async function cancelForPause(
  schedule: ScheduleTx,
  studentId: number,
  timeOffId: number,
  sessions: readonly StudentSession[],
): Promise<void> {
  await applyTimeOff(
    schedule,
    sessions.map((session) => ({
      sessionId: session.id,
      timeOffId: session.hasOthers ? null : timeOffId,
      pausedSeats: [{ studentId, timeOffId }],
    })),
  );
}

export async function readSessionRows(
  { tx, tutorId }: ScheduleTx,
  sessions: readonly { id: number }[],
): Promise<SessionRow[]> {
  const ids = sessions.map(({ id }) => id);
  return toSessionRows(await sessionRowsByIds(tx, tutorId, ids).execute());
}
