import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { updateInstants } from './queries/bulk-reschedule.ts';
import { archiveLesson, lessonsOfStudent, saveLesson } from './queries/lessons.ts';
import { deferConstraints } from './queries/overlaps.ts';
import {
  sessionsOfSeries,
  upcomingSessionIdsOfStudent,
  upcomingSessions,
} from './queries/sessions.ts';
import { toInstants } from './rules/local-to-utc.ts';
import { cancelWithoutFee, detachFromTimeOff } from './service/delete-lesson.ts';
import { getLessonOrThrow } from './service/guards.ts';
import {
  openScheduleTx,
  resolveOverlaps,
  type ScheduleTx,
} from './service/schedule-transaction.ts';

/** A student who leaves takes the lessons to come along; what was taught stays. */
export async function onStudentArchived(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  const schedule = await openScheduleTx(context, tx, tutorId);
  await cancelWithoutFee(
    schedule,
    await upcomingSessionIdsOfStudent(tx, tutorId, studentId, schedule.now),
  );
  for (const lessonId of await lessonsOfStudent(tx, tutorId, studentId)) {
    await endLesson(schedule, lessonId);
  }
}

/** Gone from every list, unless a session of somebody else stands in it: then it only goes no further. */
async function endLesson(schedule: ScheduleTx, lessonId: number): Promise<void> {
  const { tx, tutorId, now, today } = schedule;
  const rows = await sessionsOfSeries(tx, tutorId, lessonId);
  await detachFromTimeOff(schedule, rows);
  const goesOn = rows.some((row) => row.status === 'scheduled' && row.endsAt > now);
  if (!goesOn) return archiveLesson(tx, tutorId, lessonId, now);
  const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
  await saveLesson(tx, tutorId, {
    ...lesson,
    endDate: today,
    materialisedTo: lesson.materialisedTo,
  });
}

/** A tutor who moves keeps the hours on the wall: 16:00 stays 16:00, only the instants change. */
export async function onTimeZoneChanged(
  context: Context,
  tx: Tx,
  { tutorId, timeZone }: { tutorId: string; timeZone: string },
): Promise<void> {
  await deferConstraints(tx);
  const schedule = { ...(await openScheduleTx(context, tx, tutorId)), timeZone };
  const coming = await upcomingSessions(tx, tutorId, schedule.now);
  await updateInstants(
    tx,
    tutorId,
    coming.map((session) => ({ id: session.id, ...toInstants(timeZone, session) })),
  );
  // Shifted together they meet nobody new, except on the nights when the two places change their clocks.
  await resolveOverlaps(
    schedule,
    coming.map((session) => session.id),
    true,
  );
}
