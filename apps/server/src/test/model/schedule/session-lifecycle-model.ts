import { daysAfter } from '../time-zones/zone-oracle.ts';
import {
  hasDifferentTime,
  type LessonFormValues,
  moveSession,
  rescheduleOneOffLesson,
  type SavedLesson,
} from './change-single-session-model.ts';
import { repriceSession, subjectOf } from './prices-model.ts';
import {
  assertCurrentStudents,
  assertScheduled,
  datesOutsideTerms,
  expectedSeats,
  getLessonOfSession,
  getSession,
  getTerms,
  horizonOf,
  isInTerm,
  isOpenEnded,
  lastGeneratedDate,
  type ModelLesson,
  type ModelSeat,
  type ModelSession,
  type ModelTimeOff,
  type OverlapPair,
  occurrencesBetween,
  RejectedError,
  requireAcceptance,
  type ScheduleState,
  summarizeChange,
} from './schedule-model.ts';
import {
  addSessions,
  cancelDuringTimeOff,
  cancelWithoutFee,
  coversSession,
  restoreSession,
} from './time-off-and-pauses-model.ts';

/* Commands other than changing and deleting lessons, and the nightly job. */

export interface CreateInput {
  formValues: LessonFormValues;
  /** The first is the student in the form. If a student's fee is omitted, the lesson's fee applies; null means free. */
  students: { studentId: number; fee?: number | null }[];
  earlier: 'skip' | 'taught';
  accept: boolean;
}

export function createLesson(
  state: ScheduleState,
  { formValues, students, earlier, accept }: CreateInput,
): SavedLesson {
  const { repeats, pattern, date } = formValues;
  const termCalendarId = (repeats && formValues.termCalendarId) || null;
  const terms = getTerms(state, termCalendarId);
  const endDate = repeats ? formValues.endDate : null;
  const generatedUntil = repeats ? lastGeneratedDate(state, endDate) : date;
  const allDates = repeats ? occurrencesBetween(pattern, date, date, generatedUntil) : [date];
  const candidates =
    repeats && earlier === 'skip' ? allDates.filter((day) => day >= state.today) : allDates;
  const dates = candidates.filter((day) => isInTerm(terms, day));
  if (dates.length === 0) throw new RejectedError(400);
  assertCurrentStudents(
    state,
    students.map(({ studentId }) => studentId),
  );
  const { studentId: _first, seatFee: _seatFee, usesRates = false, ...lessonFields } = formValues;
  const lesson: ModelLesson = {
    ...lessonFields,
    ...(usesRates ? subjectOf(state, formValues.subjectId) : {}),
    usesRates,
    termCalendarId,
    roster: students.map(({ studentId, fee }, position) => ({
      studentId,
      position,
      ownFee: fee === undefined ? null : (fee ?? 0),
      from: null,
      to: null,
    })),
    id: ++state.ids.lesson,
    date: dates[0] ?? date,
    anchor: date,
    endDate,
    generatedUntil,
    continuesLessonId: null,
    deleted: false,
    deletedAt: null,
  };
  state.lessons.push(lesson);
  const created = addSessions(state, lesson, dates);
  const past = created.filter((row) => repeats && earlier === 'taught' && row.date < state.today);
  for (const row of past.filter((each) => each.status === 'scheduled')) {
    row.status = 'completed';
    for (const seat of expectedSeats(row)) seat.attendance = 'attended';
  }
  const overlaps = requireAcceptance(
    state,
    created.map((row) => row.id),
    accept,
  );
  return {
    lessonId: lesson.id,
    sessionId: created[0]?.id ?? null,
    consequences: summarizeChange({
      created: created.length,
      dates,
      overlaps,
      outsideTerms: datesOutsideTerms(terms, candidates),
    }),
  };
}

export interface RescheduleInput {
  sessionId: number;
  date: string;
  start: string;
  end: string;
  accept: boolean;
}

export function rescheduleSession(state: ScheduleState, input: RescheduleInput): number {
  const session = getSession(state, input.sessionId);
  assertScheduled(session);
  if (!hasDifferentTime(session, input)) return session.id;
  const lesson = getLessonOfSession(state, session);
  const moved = moveSession(state, session, input, input.accept);
  if (!lesson.repeats) rescheduleOneOffLesson(lesson, input);
  return moved.session.id;
}

type AttendanceStatus = 'attended' | 'late' | 'absent';

export interface Completion {
  sessionId: number;
  attendance: AttendanceStatus;
  charge: boolean;
  notes: string | null;
  /** Students whose attendance or charge differs. */
  exceptions: { studentId: number; attendance: AttendanceStatus; charge: boolean }[];
}

/** Completes all the sessions or none of them. A seat without a fee gets no charge. */
export function completeSessions(state: ScheduleState, completions: Completion[]): void {
  const ids = new Set(completions.map((each) => each.sessionId));
  if (ids.size !== completions.length) throw new RejectedError(404);
  for (const { sessionId } of completions) getSession(state, sessionId);
  for (const { sessionId } of completions) assertScheduled(getSession(state, sessionId));
  for (const { sessionId, notes, exceptions, ...rest } of completions) {
    const session = getSession(state, sessionId);
    session.status = 'completed';
    if (notes !== null) session.notes = notes;
    const expected = expectedSeats(session);
    if (!exceptions.every((each) => expected.some((seat) => seat.studentId === each.studentId)))
      throw new RejectedError(404);
    for (const seat of expected) {
      const { attendance, charge } =
        exceptions.find((each) => each.studentId === seat.studentId) ?? rest;
      seat.attendance = attendance;
      seat.isBillable = charge && seat.fee !== null;
      if (charge) chargeSeat(session, seat, seat.fee);
    }
  }
}

function chargeSeat(session: ModelSession, { studentId }: ModelSeat, amount: number | null): void {
  if (amount !== null) session.charges.push({ studentId, amount, reversed: false });
}

export interface CancelInput {
  sessionId: number;
  by: 'tutor' | 'student' | 'carer';
  reason: string | null;
  chargeFee: boolean;
}

/** The cancellation fee of a seat under the policy; null if there is none. */
export function proposedFee(
  state: ScheduleState,
  seat: ModelSeat,
  by: CancelInput['by'],
  noticeMinutes: number,
): number | null {
  if (by === 'tutor' || seat.fee === null) return null;
  if (noticeMinutes >= state.policy.noticeHours * 60) return null;
  return Math.round((seat.fee * state.policy.feePercent) / 100) || null;
}

export function cancelSession(
  state: ScheduleState,
  input: CancelInput,
  noticeMinutes: number,
): void {
  const session = getSession(state, input.sessionId);
  assertScheduled(session);
  session.status = 'cancelled';
  session.cancelledBy = input.by;
  session.cancelReason = input.reason;
  for (const seat of expectedSeats(session))
    chargeCancellation(state, session, seat, input, noticeMinutes);
}

export function chargeCancellation(
  state: ScheduleState,
  session: ModelSession,
  seat: ModelSeat,
  input: CancelInput,
  noticeMinutes: number,
): void {
  const fee = input.chargeFee ? proposedFee(state, seat, input.by, noticeMinutes) : null;
  seat.isBillable = fee !== null;
  seat.noticeMinutes = noticeMinutes;
  chargeSeat(session, seat, fee);
}

/** Undoes a completion or cancellation and reverses its charges. As with a move, overlaps must be accepted. */
export function reopenSession(state: ScheduleState, sessionId: number, accept: boolean): void {
  const session = getSession(state, sessionId);
  if (session.status !== 'completed' && session.status !== 'cancelled')
    throw new RejectedError(409);
  getLessonOfSession(state, session);
  restoreSession(session);
  for (const seat of expectedSeats(session)) reverseCharges(session, seat);
  repriceSession(state, session);
  requireAcceptance(state, [sessionId], accept);
}

export function reverseCharges(session: ModelSession, { studentId }: ModelSeat): void {
  for (const charge of session.charges.filter((each) => each.studentId === studentId))
    charge.reversed = true;
}

export interface TimeOffInput {
  from: string;
  to: string;
  start: string | null;
  end: string | null;
  cancelIds: number[];
}

export const sessionsInTimeOff = (
  state: ScheduleState,
  timeOff: Omit<ModelTimeOff, 'id'>,
): ModelSession[] =>
  state.sessions.filter(
    (row) => row.status === 'scheduled' && coversSession({ ...timeOff, id: 0 }, row),
  );

/** Cancels the selected sessions during the time off, without a fee. */
export function createTimeOff(
  state: ScheduleState,
  { cancelIds, ...range }: TimeOffInput,
): ModelTimeOff {
  const selected = sessionsInTimeOff(state, range).filter((row) => cancelIds.includes(row.id));
  if (selected.length !== new Set(cancelIds).size) throw new RejectedError(409);
  const timeOff = { id: ++state.ids.timeOff, ...range };
  state.timeOff.push(timeOff);
  for (const row of selected) cancelWithoutFee(row, timeOff.id);
  return timeOff;
}

/** Optionally restores the sessions that the time off cancelled. Overlaps are reported but do not need to be accepted. */
export function deleteTimeOff(
  state: ScheduleState,
  id: number,
  restore: boolean,
): { restored: number; overlaps: OverlapPair[] } {
  if (!state.timeOff.some((timeOff) => timeOff.id === id)) throw new RejectedError(404);
  state.timeOff = state.timeOff.filter((timeOff) => timeOff.id !== id);
  const linked = state.sessions.filter((row) => row.timeOffId === id);
  const toRestore = linked.filter((row) => restore && row.status === 'cancelled');
  for (const row of linked) row.timeOffId = null;
  for (const row of toRestore) restoreSession(row);
  // Sessions that fall within other time off stay cancelled, and so do the seats of paused students.
  for (const row of toRestore) cancelDuringTimeOff(state, row);
  const restored = toRestore.filter((row) => row.status === 'scheduled').map((row) => row.id);
  return { restored: restored.length, overlaps: requireAcceptance(state, restored, true) };
}

/** The nightly job: generates sessions from the last generated date up to a year ahead. */
export function extendAllSeries(state: ScheduleState): void {
  const horizon = horizonOf(state);
  for (const lesson of state.lessons) {
    if (lesson.deleted || !isOpenEnded(lesson) || lesson.generatedUntil >= horizon) continue;
    if (lesson.roster.every(({ studentId }) => state.statuses[studentId] === 'left')) continue;
    const generatedUntil = lastGeneratedDate(state, lesson.endDate);
    const { pattern, anchor } = lesson;
    addSessions(
      state,
      lesson,
      occurrencesBetween(pattern, anchor, daysAfter(lesson.generatedUntil, 1), generatedUntil),
    );
    lesson.generatedUntil = generatedUntil;
  }
}

/** The status shown in the list of lessons. */
export function lessonStatus(state: ScheduleState, lesson: ModelLesson): string {
  const rows = state.sessions.filter((row) => row.lessonId === lesson.id);
  if (rows.some((row) => row.status === 'scheduled') || isOpenEnded(lesson)) return 'scheduled';
  return rows.some((row) => row.status === 'completed') ? 'completed' : 'cancelled';
}
