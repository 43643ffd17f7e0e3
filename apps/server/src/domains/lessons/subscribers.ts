import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { updateInstants } from './queries/bulk-reschedule.ts';
import { archiveLesson, lessonIdsForStudent, saveLesson } from './queries/lessons.ts';
import { deferConstraints } from './queries/overlaps.ts';
import {
  sessionsInSeries,
  upcomingSessionIdsForStudent,
  upcomingSessions,
} from './queries/sessions.ts';
import { toInstants } from './rules/local-to-utc.ts';
import { cancelWithoutFee, detachFromTimeOff } from './service/cancel-and-restore-sessions.ts';
import { getLessonOrThrow } from './service/guards.ts';
import {
  openScheduleTx,
  resolveOverlaps,
  type ScheduleTx,
} from './service/schedule-transaction.ts';

/** Cancels the upcoming sessions of an archived student. Past sessions are kept. */
export async function onStudentArchived(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const schedule = await openScheduleTx(context, tx, tutorId);
  await cancelWithoutFee(
    schedule,
    await upcomingSessionIdsForStudent(tx, tutorId, studentId, schedule.now),
  );
  for (const lessonId of await lessonIdsForStudent(tx, tutorId, studentId)) {
    await endLesson(schedule, lessonId);
  }
}

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
