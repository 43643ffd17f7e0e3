import { daysAfter } from '../time-zones/zone-oracle.ts';
import { rescheduleOneOffLesson } from './change-single-session-model.ts';
import { isAutomatic, newSeat, repriceSession } from './prices-model.ts';
import {
  assertCurrentStudents,
  assertScheduled,
  dayBefore,
  expectedOrPausedSeats,
  expectedSeats,
  getLesson,
  getLessonOfSession,
  getSession,
  hasEnded,
  type ModelLesson,
  type ModelSession,
  RejectedError,
  requireAcceptance,
  type ScheduleState,
  sessionsInLesson,
} from './schedule-model.ts';
import { type CancelInput, chargeCancellation, reverseCharges } from './session-lifecycle-model.ts';
import {
  cancelDuringPauses,
  cancelDuringTimeOff,
  cancelForPauses,
  cancelWithoutFee,
  detachFromTimeOff,
  isCancelledByPauses,
  restoreSession,
} from './time-off-and-pauses-model.ts';

/* Students who join or leave a lesson, and seats that are cancelled and restored. */

export interface JoinInput {
  lessonId: number;
  studentId: number;
  /** If undefined, the lesson's fee applies; null is free. */
  fee?: number | null;
  from: string;
}

const isInLessonFrom = (lesson: ModelLesson, studentId: number, from: string): boolean =>
  lesson.roster.some(
    (entry) => entry.studentId === studentId && (entry.to === null || entry.to >= from),
  );

const scheduledFrom = (state: ScheduleState, lessonId: number, from: string): ModelSession[] =>
  sessionsInLesson(state, lessonId).filter(
    (session) => session.status === 'scheduled' && session.date >= from,
  );

export function assertNotArchived(state: ScheduleState, studentId: number): void {
  if (state.archivedStudents.includes(studentId)) throw new RejectedError(404);
}

/** Adds the student to the scheduled sessions from a date onwards. Earlier sessions do not change. */
export function joinLesson(state: ScheduleState, input: JoinInput): void {
  const { lessonId, studentId, fee, from } = input;
  const lesson = getLesson(state, lessonId);
  assertCurrentStudents(state, [studentId]);
  if (isInLessonFrom(lesson, studentId, from)) throw new RejectedError(409);
  const entry = {
    studentId,
    position: Math.max(...lesson.roster.map(({ position }) => position)) + 1,
    ownFee: fee === undefined ? null : (fee ?? 0),
    from,
    to: null,
  };
  lesson.roster.push(entry);
  for (const session of sessionsInLesson(state, lessonId).filter(({ date }) => date >= from)) {
    if (session.seats.some((seat) => seat.studentId === studentId)) continue;
    const wasPaused = isCancelledByPauses(session);
    if (session.status !== 'scheduled' && !wasPaused) continue;
    // A session has one currency, which can differ from the lesson's.
    if (session.seats.some((seat) => seat.currency !== lesson.currency))
      throw new RejectedError(409);
    session.seats.push(newSeat(state, lesson, session, entry));
    session.seats.sort((a, b) => a.position - b.position);
    if (wasPaused) {
      // The session takes place for the student who joins.
      restoreSession(session);
      cancelDuringTimeOff(state, session);
    } else cancelDuringPauses(state, session, studentId);
  }
}

export interface LeaveInput {
  lessonId: number;
  studentId: number;
  from: string;
}

/** Removes the student from the scheduled sessions from a date onwards. The last student cannot leave. */
export function leaveLesson(state: ScheduleState, { lessonId, studentId, from }: LeaveInput): void {
  const lesson = getLesson(state, lessonId);
  if (!isInLessonFrom(lesson, studentId, from)) throw new RejectedError(404);
  const sessions = scheduledFrom(state, lessonId, from);
  endRosterEntries(lesson, studentId, from);
  const hasOthers = lesson.roster.some(({ to }) => to === null || to >= from);
  if (!hasOthers || sessions.some((session) => isOnlyExpected(session, studentId)))
    throw new RejectedError(409);
  for (const session of sessions) removeExpectedSeat(session, studentId);
  for (const session of sessionsInLesson(state, lessonId).filter(({ date }) => date >= from))
    removePausedSeat(session, studentId);
}

function endRosterEntries(lesson: ModelLesson, studentId: number, from: string): void {
  lesson.roster = lesson.roster
    .filter((entry) => entry.studentId !== studentId || entry.from === null || entry.from < from)
    .map((entry) =>
      entry.studentId === studentId && (entry.to === null || entry.to >= from)
        ? { ...entry, to: dayBefore(from) }
        : entry,
    );
}

const isOnlyExpected = (session: ModelSession, studentId: number): boolean =>
  expectedSeats(session).every((seat) => seat.studentId === studentId);

/** A cancelled seat stays, and so does its charge. */
function removeExpectedSeat(session: ModelSession, studentId: number): void {
  session.seats = session.seats.filter(
    (seat) => seat.studentId !== studentId || seat.state === 'cancelled',
  );
}

/** The end of the pause must not restore the student's seat. A session without other students stays cancelled. */
function removePausedSeat(session: ModelSession, studentId: number): void {
  const paused = session.seats.find((seat) => seat.studentId === studentId);
  if (!paused || paused.timeOffId === null) return;
  const wasPaused = isCancelledByPauses(session);
  const others = session.seats.filter((seat) => seat !== paused);
  const isOpen = session.status === 'scheduled' || wasPaused;
  if (isOpen && others.some(({ state }) => state === 'expected')) session.seats = others;
  else if (wasPaused) detachFromTimeOff(session);
  else paused.timeOffId = null;
}

export interface CancelSeatInput extends CancelInput {
  studentId: number;
}

/** Cancels the session for one student. It takes place for the others, so there must be others. */
export function cancelSeat(
  state: ScheduleState,
  input: CancelSeatInput,
  noticeMinutes: number,
): void {
  const session = getSession(state, input.sessionId);
  assertScheduled(session);
  const expected = expectedSeats(session);
  const seat = expected.find((each) => each.studentId === input.studentId);
  if (!seat) throw new RejectedError(404);
  if (expected.length === 1) throw new RejectedError(409);
  chargeCancellation(state, session, seat, input, noticeMinutes);
  Object.assign(seat, { state: 'cancelled', cancelledBy: input.by, cancelReason: input.reason });
}

export function restoreSeat(state: ScheduleState, sessionId: number, studentId: number): void {
  const session = getSession(state, sessionId);
  assertScheduled(session);
  const seat = session.seats.find((each) => each.studentId === studentId);
  if (seat?.state !== 'cancelled') throw new RejectedError(409);
  reverseCharges(session, seat);
  Object.assign(seat, {
    state: 'expected',
    cancelledBy: null,
    cancelReason: null,
    noticeMinutes: null,
    isBillable: false,
    timeOffId: null,
  });
  repriceSession(state, session);
}

/** Moves the session back to its old time, unless anything but its time has changed since. */
export function undoMove(state: ScheduleState, sessionId: number): number {
  const replacement = getSession(state, sessionId);
  assertScheduled(replacement);
  const original = state.sessions.find((each) => each.id === replacement.movedFrom);
  if (original?.status !== 'rescheduled' || original.movedTo !== sessionId)
    throw new RejectedError(409);
  if (comparableFields(original) !== comparableFields(replacement)) throw new RejectedError(409);
  restoreSession(original);
  original.movedTo = null;
  replacement.status = 'rescheduled';
  replacement.movedTo = original.id;
  const lesson = getLessonOfSession(state, original);
  if (!lesson.repeats) rescheduleOneOffLesson(lesson, original);
  requireAcceptance(state, [original.id], true);
  return original.id;
}

const comparableFields = (session: ModelSession): string => {
  const { subjectId, lessonId, title, place, notes } = session;
  const seats = expectedOrPausedSeats(session).map((seat) => [
    seat.studentId,
    // A fee that was not entered can depend on the time.
    isAutomatic(seat) ? 'rate' : seat.fee,
    seat.currency,
  ]);
  return JSON.stringify([subjectId, lessonId, title, place, notes, seats]);
};

export function archiveStudent(state: ScheduleState, studentId: number): void {
  assertNotArchived(state, studentId);
  state.archivedStudents.push(studentId);
  endLessonsOfStudent(state, studentId);
}

/** The student leaves every group; sessions that were for this student only are cancelled. */
export function endLessonsOfStudent(state: ScheduleState, studentId: number): void {
  const isUpcoming = (session: ModelSession) =>
    session.status === 'scheduled' && !hasEnded(state, session);
  for (const session of state.sessions.filter(isUpcoming)) {
    const pauseId = session.seats.find((seat) => seat.timeOffId !== null)?.timeOffId ?? null;
    if (isOnlyExpected(session, studentId) && pauseId === null) {
      cancelWithoutFee(session);
      continue;
    }
    removeExpectedSeat(session, studentId);
    if (expectedSeats(session).length === 0 && pauseId !== null) cancelForPauses(session, pauseId);
  }
  for (const session of state.sessions.filter((each) => !hasEnded(state, each)))
    removePausedSeat(session, studentId);
  for (const lesson of state.lessons.filter((each) => !each.deleted)) {
    if (!lesson.roster.some((entry) => entry.studentId === studentId)) continue;
    const tomorrow = daysAfter(state.today, 1);
    // Students who were archived earlier today are on the roster until the end of the day.
    const hasOthers = lesson.roster.some(
      (entry) => entry.studentId !== studentId && (entry.to === null || entry.to >= tomorrow),
    );
    if (hasOthers) {
      endRosterEntries(lesson, studentId, tomorrow);
      continue;
    }
    const sessions = sessionsInLesson(state, lesson.id);
    for (const session of sessions) detachFromTimeOff(session);
    // Another student may still be expected, in a session that was changed individually.
    if (sessions.some(isUpcoming)) lesson.endDate = state.today;
    else Object.assign(lesson, { deleted: true, deletedAt: state.now });
  }
}
