import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { updateInstants } from './queries/bulk-reschedule.ts';
import { archiveLesson, lessonIdsForStudent, saveLesson } from './queries/lessons.ts';
import { deferConstraints } from './queries/overlaps.ts';
import { replaceRoster } from './queries/seats.ts';
import {
  sessionsInSeries,
  upcomingSessions,
  upcomingSessionsForStudent,
} from './queries/sessions.ts';
import { toInstants } from './rules/local-to-utc.ts';
import { isOnRosterFrom, leaveRoster } from './rules/seats.ts';
import { cancelWithoutFee, detachFromTimeOff } from './service/cancel-and-restore-sessions.ts';
import { getLessonOrThrow } from './service/guards.ts';
import { isOnlyStudent, removeFromSessions } from './service/roster.ts';
import {
  openScheduleTx,
  resolveOverlaps,
  type ScheduleTx,
} from './service/schedule-transaction.ts';

/** Cancels the upcoming sessions of an archived student, who leaves their groups. Past sessions are kept. */
export async function onStudentArchived(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const schedule = await openScheduleTx(context, tx, tutorId);
  const upcoming = await upcomingSessionsForStudent(tx, tutorId, studentId, schedule.now);
  const [ownSessions, groupSessions] = partition(upcoming, (session) =>
    isOnlyStudent(session, studentId),
  );
  await cancelWithoutFee(
    schedule,
    ownSessions.map(({ id }) => id),
  );
  await removeFromSessions(schedule, studentId, groupSessions);
  for (const lessonId of await lessonIdsForStudent(tx, tutorId, studentId)) {
    if (!(await endRosterEntry(schedule, lessonId, studentId))) await endLesson(schedule, lessonId);
  }
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

/** Local times stay the same and only the instants change: 16:00 is still 16:00, but in the new time zone. */
export async function onTimeZoneChanged(
  context: Context,
  tx: Tx,
  { tutorId, timeZone }: { tutorId: string; timeZone: string },
): Promise<void> {
  await deferConstraints(tx).execute();
  const schedule = { ...(await openScheduleTx(context, tx, tutorId)), timeZone };
  const upcoming = await upcomingSessions(tx, tutorId, schedule.now);
  await updateInstants(
    tx,
    tutorId,
    upcoming.map((session) => ({ id: session.id, ...toInstants(timeZone, session) })),
  );
  // All sessions shift together, so new overlaps can only appear around clock changes in either time zone.
  await resolveOverlaps(
    schedule,
    upcoming.map((session) => session.id),
    true,
  );
}
