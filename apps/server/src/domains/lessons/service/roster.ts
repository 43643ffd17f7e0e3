import type { JoinInput } from '@lessonbook/contract/group-lessons';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getCurrentStudentOrThrow } from '../../students/service/students.ts';
import { overlapsFound, seatsNotBillable } from '../events.ts';
import { ratesOfStudents } from '../queries/rates.ts';
import {
  deleteSeats,
  insertSeats,
  replaceRoster,
  sessionsBelowMinimum,
  unlinkSeatsFromPauses,
} from '../queries/seats.ts';
import { type SessionRecord, sessionsInSeries } from '../queries/sessions.ts';
import { type StudentSession, sessionsPausedFor } from '../queries/sessions-to-pause-or-end.ts';
import {
  countMostStudentsFrom,
  filterExpectedSeats,
  isOnRosterFrom,
  isPaused,
  joinRoster,
  leaveRoster,
} from '../rules/seat-fees-and-rosters.ts';
import { cancelDuringTimeOff, detachSessions } from './apply-and-lift-time-off.ts';
import { restoreSessions } from './cancel-without-fee-and-restore.ts';
import { toOwnFee } from './create-lesson.ts';
import { toNewSeat } from './generate-sessions.ts';
import { assertGroupSize, getLessonOrThrow } from './guards.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

/** Used for the notification sent the evening before the sessions. */
export const listSessionsBelowMinimum = (tx: Tx, tutorId: string, date: string) =>
  sessionsBelowMinimum(tx, tutorId, date).execute();

/** Adds a student to the lesson's scheduled sessions from a given date, and to sessions generated later. */
export async function joinLesson(
  context: Context,
  tutorId: string,
  lessonId: number,
  input: JoinInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const { tx } = schedule;
      const lesson = await getLessonOrThrow(tx, tutorId, lessonId);
      const student = await getCurrentStudentOrThrow(tx, tutorId, input.studentId, schedule.today);
      const fee = toOwnFee(input.fee);
      const roster = joinRoster(lesson.roster, { studentId: student.id, fee }, input.from);
      if (roster === 'already_in_lesson')
        throw new AppError('conflict', `${student.name} is already in this lesson.`);
      assertGroupSize(
        countMostStudentsFrom(roster, input.from),
        lesson.maxStudents,
        input.acceptFull,
      );
      const entry = roster.at(-1) as (typeof roster)[number];
      const sessions = (await findScheduledOrPausedFrom(schedule, lessonId, input.from)).filter(
        ({ seats }) => !seats.some(({ studentId }) => studentId === student.id),
      );
      if (sessions.some(({ seats }) => seats.some(({ currency }) => currency !== lesson.currency)))
        throw new AppError(
          'conflict',
          `Some lessons in this series aren't in ${lesson.currency}. Please change their currency, or choose a later date.`,
        );
      const rates = lesson.usesRates
        ? await ratesOfStudents(tx, tutorId, [student.id]).execute()
        : [];
      await replaceRoster(tx, tutorId, lessonId, roster);
      await insertSeats(
        tx,
        tutorId,
        sessions.map((session) => toNewSeat(session, entry, lesson, rates)),
      ).execute();
      await applyPausesAfterJoin(schedule, student.id, sessions);
      return student.id;
    }),
  );
}

/** Sessions cancelled because everybody was paused are restored for the new student, unless that student is paused too. */
async function applyPausesAfterJoin(
  schedule: ScheduleTx,
  studentId: number,
  sessions: readonly SessionRecord[],
): Promise<void> {
  const { context, tx, tutorId } = schedule;
  const pausedIds = sessions.filter(isPaused).map(({ id }) => id);
  await restoreSessions(schedule, pausedIds);
  await cancelDuringTimeOff(schedule, pausedIds);
  const scheduled = sessions.filter(({ status }) => status === 'scheduled');
  await cancelDuringTimeOff(
    schedule,
    scheduled.map(({ id }) => id),
    studentId,
  );
  const overlaps = await resolveOverlaps(schedule, pausedIds, true);
  if (overlaps.length > 0) await context.events.publish(tx, overlapsFound, { tutorId, overlaps });
}

/**
 * Removes a student from the lesson's scheduled sessions from a given date, but not from completed or cancelled ones. The
 * last student cannot leave: the lesson must be deleted instead.
 */
export async function leaveLesson(
  context: Context,
  tutorId: string,
  lessonId: number,
  studentId: number,
  from: string,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    const lesson = await getLessonOrThrow(schedule.tx, tutorId, lessonId);
    const isInLesson = lesson.roster.some(
      (entry) => entry.studentId === studentId && isOnRosterFrom(entry, from),
    );
    if (!isInLesson) throw new AppError('not_found', 'That student is not in this lesson.');
    const sessions = (await findScheduledOrPausedFrom(schedule, lessonId, from)).filter(
      ({ status }) => status === 'scheduled',
    );
    const roster = leaveRoster(lesson.roster, studentId, from);
    if (!roster.some((entry) => isOnRosterFrom(entry, from)))
      throw new AppError(
        'conflict',
        'This is the only student left in the lesson. Please delete the lesson instead.',
      );
    if (sessions.some((session) => isOnlyStudent(session, studentId)))
      throw new AppError(
        'conflict',
        'On at least one date, no other student would be left. Please cancel that lesson first.',
      );
    await removeFromSessions(schedule, studentId, sessions);
    const paused = await sessionsPausedFor(schedule.tx, tutorId, studentId);
    await removePausedSeats(
      schedule,
      studentId,
      paused.filter((session) => session.lessonId === lessonId && session.date >= from),
    );
    await replaceRoster(schedule.tx, tutorId, lessonId, roster);
  });
}

/** Whether this student is the only one expected. */
export function isOnlyStudent(session: SessionRecord, studentId: number): boolean {
  const expected = filterExpectedSeats(session.seats);
  return expected.length === 1 && expected[0]?.studentId === studentId;
}

/** Removes the student from the sessions. Prepaid seats are credited before they are deleted. */
export async function removeFromSessions(
  { context, tx, tutorId }: ScheduleTx,
  studentId: number,
  sessions: readonly SessionRecord[],
): Promise<void> {
  const affected = sessions.filter(({ seats }) =>
    filterExpectedSeats(seats).some((seat) => seat.studentId === studentId),
  );
  const seats = affected.map(({ id }) => ({ sessionId: id, studentId }));
  if (seats.length > 0) await context.events.publish(tx, seatsNotBillable, { tutorId, seats });
  await deleteSeats(
    tx,
    tutorId,
    studentId,
    affected.map(({ id }) => id),
  );
}

/** Removes a paused student from the sessions. A session stays cancelled if no other student is expected. */
export async function removePausedSeats(
  schedule: ScheduleTx,
  studentId: number,
  sessions: readonly StudentSession[],
): Promise<void> {
  const shared = sessions.filter(
    (session) => session.hasOthers && (session.status === 'scheduled' || session.isPaused),
  );
  await deleteSeats(
    schedule.tx,
    schedule.tutorId,
    studentId,
    shared.map(({ id }) => id),
  );
  const others = sessions.filter((session) => !shared.includes(session));
  const paused = others.filter((session) => session.isPaused);
  await detachSessions(schedule, paused, paused);
  // Sessions cancelled for another reason stay linked to the tutor's time off and to the other students' pauses.
  await unlinkSeatsFromPauses(
    schedule.tx,
    schedule.tutorId,
    others.map(({ id }) => id),
    studentId,
  );
}

const findScheduledOrPausedFrom = async (
  { tx, tutorId }: ScheduleTx,
  lessonId: number,
  from: string,
): Promise<SessionRecord[]> =>
  (await sessionsInSeries(tx, tutorId, lessonId)).filter(
    (session) => session.date >= from && (session.status === 'scheduled' || isPaused(session)),
  );
