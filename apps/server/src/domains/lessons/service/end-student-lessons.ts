import { addDaysToDate } from '@lessonbook/contract/dates';
import { archiveLesson, saveLesson } from '../queries/lessons.ts';
import { replaceRoster } from '../queries/seats.ts';
import { type SessionRecord, sessionsInSeries } from '../queries/sessions.ts';
import {
  lessonIdsForStudent,
  sessionsPausedFor,
  upcomingSessionsForStudent,
} from '../queries/sessions-to-pause-or-end.ts';
import { isOnRosterFrom, leaveRoster } from '../rules/seat-fees-and-rosters.ts';
import { applyTimeOff, detachFromTimeOff } from './apply-and-lift-time-off.ts';
import { cancelWithoutFee } from './cancel-without-fee-and-restore.ts';
import { getLessonOrThrow } from './guards.ts';
import { isOnlyStudent, removeFromSessions, removePausedSeats } from './roster.ts';
import type { ScheduleTx } from './schedule-transaction.ts';

/**
 * Cancels the upcoming sessions of a student who was archived or has left, removes the student from groups and ends the
 * student's series. Past sessions are kept.
 */
export async function endStudentLessons(schedule: ScheduleTx, studentId: number): Promise<void> {
  const { tx, tutorId, now } = schedule;
  const upcoming = await upcomingSessionsForStudent(tx, tutorId, studentId, now);
  const [ownSessions, groupSessions] = partition(
    upcoming,
    (session) => isOnlyStudent(session, studentId) && !hasPausedSeats(session),
  );
  await cancelWithoutFee(
    schedule,
    ownSessions.map(({ id }) => id),
  );
  await removeFromSessions(schedule, studentId, groupSessions);
  await cancelForPausedStudents(
    schedule,
    groupSessions.filter((session) => isOnlyStudent(session, studentId)),
  );
  const paused = await sessionsPausedFor(tx, tutorId, studentId);
  await removePausedSeats(
    schedule,
    studentId,
    paused.filter(({ endsAt }) => endsAt > now),
  );
  for (const lessonId of await lessonIdsForStudent(tx, tutorId, studentId)) {
    if (!(await endRosterEntry(schedule, lessonId, studentId))) await endLesson(schedule, lessonId);
  }
}

const hasPausedSeats = ({ seats }: SessionRecord): boolean =>
  seats.some(({ timeOffId }) => timeOffId !== null);

/** Cancels sessions in which only paused students are left. The sessions are restored when the pauses end. */
async function cancelForPausedStudents(
  schedule: ScheduleTx,
  sessions: readonly SessionRecord[],
): Promise<void> {
  const plans = sessions.map(({ id, seats }) => {
    const pausedSeats = seats.flatMap(({ studentId, timeOffId }) =>
      timeOffId === null ? [] : [{ studentId, timeOffId }],
    );
    return { sessionId: id, timeOffId: pausedSeats[0]?.timeOffId ?? null, pausedSeats };
  });
  await applyTimeOff(schedule, plans);
}

/** Ends the student's part in a group as of today. Returns false if the lesson has no other student after today. */
async function endRosterEntry(
  { tx, tutorId, today }: ScheduleTx,
  lessonId: number,
  studentId: number,
): Promise<boolean> {
  const { roster } = await getLessonOrThrow(tx, tutorId, lessonId);
  const tomorrow = addDaysToDate(today, 1);
  const remaining = leaveRoster(roster, studentId, tomorrow);
  const hasOthers = remaining.some((entry) => isOnRosterFrom(entry, tomorrow));
  if (hasOthers) await replaceRoster(tx, tutorId, lessonId, remaining);
  return hasOthers;
}

const partition = <T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] => [
  items.filter(matches),
  items.filter((item) => !matches(item)),
];

/** Archives the lesson. If it has upcoming sessions with another student, it is only ended as of today. */
async function endLesson(schedule: ScheduleTx, lessonId: number): Promise<void> {
  const { tx, tutorId, now, today } = schedule;
  const rows = await sessionsInSeries(tx, tutorId, lessonId);
  await detachFromTimeOff(schedule, rows);
  const hasUpcoming = rows.some((row) => row.status === 'scheduled' && row.endsAt > now);
  if (!hasUpcoming) return archiveLesson(tx, tutorId, lessonId, now);
  const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
  await saveLesson(tx, tutorId, { ...lesson, endDate: today });
}
