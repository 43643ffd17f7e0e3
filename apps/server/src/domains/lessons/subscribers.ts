import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { moveNotes } from './queries/lesson-notes.ts';
import { deferConstraints } from './queries/overlaps.ts';
import { upcomingSessions } from './queries/sessions.ts';
import { updateInstants } from './queries/update-many-session-times.ts';
import { toInstants } from './rules/local-to-utc.ts';
import { endStudentLessons } from './service/end-student-lessons.ts';
import { resolveOverlaps } from './service/resolve-overlaps.ts';
import { openScheduleTx } from './service/schedule-transaction.ts';

/** Ends the student's lessons. Past sessions are kept. */
export async function onStudentArchived(
  context: Context,
  tx: Tx,
  { tutorId, studentId }: { tutorId: string; studentId: number },
): Promise<void> {
  await endStudentLessons(await openScheduleTx(context, tx, tutorId), studentId);
}

/** Moves the notes about a session to its replacement. */
export async function onSessionMoved(
  _context: Context,
  tx: Tx,
  { tutorId, fromId, toId }: { tutorId: string; fromId: number; toId: number },
): Promise<void> {
  await moveNotes(tx, tutorId, { fromId, toId });
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
  // All sessions shift together, so new overlaps can occur only around clock changes in either time zone.
  await resolveOverlaps(
    schedule,
    upcoming.map((session) => session.id),
    true,
  );
}
