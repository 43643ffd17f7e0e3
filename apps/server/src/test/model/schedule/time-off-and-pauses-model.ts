import { newSeat } from './prices-model.ts';
import {
  expectedSeats,
  getTerms,
  isInTerm,
  type ModelLesson,
  type ModelSeat,
  type ModelSession,
  type ModelTimeOff,
  rosterOn,
  type ScheduleState,
} from './schedule-model.ts';

/* Creating, cancelling and restoring sessions, with the tutor's time off and students' pauses. */

/** Time off without a start and end time covers whole days. */
export const coversSession = (
  timeOff: ModelTimeOff,
  session: { date: string; start: string; end: string },
): boolean =>
  session.date >= timeOff.from &&
  session.date <= timeOff.to &&
  (timeOff.start === null ||
    timeOff.end === null ||
    (session.start < timeOff.end && session.end > timeOff.start));

export const coversDate = (
  { from, to }: { from: string; to: string | null },
  date: string,
): boolean => date >= from && (to === null || date <= to);

/** Adds the lesson's sessions on these dates, except those outside its terms. Sessions of a series are cancelled during time off and pauses. */
export function addSessions(
  state: ScheduleState,
  lesson: ModelLesson,
  dates: readonly string[],
): ModelSession[] {
  const { title, subjectId, place, start, end } = lesson;
  const terms = getTerms(state, lesson.termCalendarId);
  const datesWithStudents = dates.filter(
    (date) => isInTerm(terms, date) && rosterOn(lesson, date).length > 0,
  );
  const created = datesWithStudents.map(
    (date): ModelSession => ({
      id: ++state.ids.session,
      lessonId: lesson.id,
      title,
      subjectId,
      place,
      seats: rosterOn(lesson, date).map((entry) =>
        newSeat(state, lesson, { subjectId, date, start, end }, entry),
      ),
      seriesDate: date,
      originalDate: date,
      date,
      start,
      end,
      status: 'scheduled',
      notes: null,
      edited: false,
      cancelledBy: null,
      cancelReason: null,
      timeOffId: null,
      movedTo: null,
      movedFrom: null,
      charges: [],
    }),
  );
  // A one-off lesson during time off or a pause is assumed to be intentional.
  if (lesson.repeats) for (const session of created) cancelDuringTimeOff(state, session);
  state.sessions.push(...created);
  return created;
}

/** Cancels the session on the tutor's behalf, which never incurs a fee. */
export function cancelWithoutFee(session: ModelSession, timeOffId: number | null = null): void {
  session.status = 'cancelled';
  session.cancelledBy = 'tutor';
  session.timeOffId = timeOffId;
}

export function restoreSession(session: ModelSession): void {
  session.status = 'scheduled';
  session.cancelledBy = null;
  session.cancelReason = null;
  session.timeOffId = null;
  for (const seat of expectedSeats(session))
    Object.assign(seat, {
      attendance: null,
      isBillable: false,
      noticeMinutes: null,
      timeOffId: null,
    });
}

/** Cancels the session if it is during the tutor's time off; otherwise cancels the seats of paused students. */
export function cancelDuringTimeOff(state: ScheduleState, session: ModelSession): void {
  const timeOff = state.timeOff.find((each) => coversSession(each, session));
  if (timeOff) cancelWithoutFee(session, timeOff.id);
  else cancelDuringPauses(state, session);
}

/** Cancels the seats of all paused students, or only that of one student. */
export function cancelDuringPauses(
  state: ScheduleState,
  session: ModelSession,
  studentId: number | null = null,
): void {
  const paused = new Map<ModelSeat, number>();
  for (const seat of expectedSeats(session)) {
    const pause = state.pauses.find(
      (each) => each.studentId === seat.studentId && coversDate(each, session.date),
    );
    if (pause && (studentId === null || seat.studentId === studentId)) paused.set(seat, pause.id);
  }
  pauseSeats(session, paused);
}

/** Cancels these seats; each is mapped to the id of its pause. If no student is left, the whole session is cancelled instead. */
export function pauseSeats(session: ModelSession, paused: ReadonlyMap<ModelSeat, number>): void {
  if (paused.size === 0) return;
  for (const [seat, timeOffId] of paused)
    Object.assign(seat, {
      state: 'cancelled',
      timeOffId,
      cancelledBy: 'tutor',
      cancelReason: null,
      isBillable: false,
      noticeMinutes: null,
    });
  const [firstPauseId] = paused.values();
  if (expectedSeats(session).length === 0) cancelForPauses(session, firstPauseId as number);
}

/** The paused students stay expected in the session, so that it can be reopened for them. */
export function cancelForPauses(session: ModelSession, timeOffId: number): void {
  cancelWithoutFee(session, timeOffId);
  for (const seat of session.seats.filter((each) => each.timeOffId !== null))
    Object.assign(seat, { state: 'expected', cancelledBy: null });
}

/** Whether the session was cancelled because every expected student is paused. */
export const isCancelledByPauses = (session: ModelSession): boolean =>
  session.status === 'cancelled' &&
  session.seats.some((seat) => seat.timeOffId !== null) &&
  expectedSeats(session).every((seat) => seat.timeOffId !== null);

export function restorePausedSeat(seat: ModelSeat): void {
  Object.assign(seat, {
    state: 'expected',
    timeOffId: null,
    cancelledBy: null,
    cancelReason: null,
    isBillable: false,
    noticeMinutes: null,
  });
}

/** Called after a move: restores students whose pause does not cover the new date. */
export function restoreSeatsAfterMove(state: ScheduleState, session: ModelSession): void {
  for (const seat of session.seats.filter((each) => each.timeOffId !== null)) {
    const pause = state.pauses.find(({ id }) => id === seat.timeOffId);
    if (!pause || !coversDate(pause, session.date)) restorePausedSeat(seat);
  }
}

/** The end of the time off or the pause must not restore a deleted session. */
export function detachFromTimeOff(session: ModelSession): void {
  const wasPaused = isCancelledByPauses(session);
  session.timeOffId = null;
  if (wasPaused) for (const seat of session.seats) seat.timeOffId = null;
}
