import { daysAfter } from '../time-zones/zone-oracle.ts';
import {
  hasDifferentTime,
  type LessonFormValues,
  moveSession,
  rescheduleOneOffLesson,
  type SavedLesson,
} from './change-single-session-model.ts';
import {
  addSessions,
  assertScheduled,
  cancelWithoutFee,
  coversSession,
  getSession,
  horizonOf,
  isOpenEnded,
  lastGeneratedDate,
  type ModelLesson,
  type ModelSession,
  type ModelTimeOff,
  type OverlapPair,
  occurrencesBetween,
  RejectedError,
  requireAcceptance,
  restoreSession,
  type ScheduleState,
  summarizeChange,
} from './schedule-model.ts';

/* Commands other than changing and deleting lessons, and the nightly job. */

export interface CreateInput {
  formValues: LessonFormValues;
  earlier: 'skip' | 'taught';
  accept: boolean;
}

export function createLesson(
  state: ScheduleState,
  { formValues, earlier, accept }: CreateInput,
): SavedLesson {
  const { repeats, pattern, date } = formValues;
  const endDate = repeats ? formValues.endDate : null;
  const generatedUntil = repeats ? lastGeneratedDate(state, endDate) : date;
  const allDates = repeats ? occurrencesBetween(pattern, date, date, generatedUntil) : [date];
  const dates =
    repeats && earlier === 'skip' ? allDates.filter((day) => day >= state.today) : allDates;
  if (dates.length === 0) throw new RejectedError(400);
  const lesson: ModelLesson = {
    ...formValues,
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
    row.attendance = 'attended';
  }
  const overlaps = requireAcceptance(
    state,
    created.map((row) => row.id),
    accept,
  );
  return {
    lessonId: lesson.id,
    sessionId: created[0]?.id ?? null,
    consequences: summarizeChange({ created: created.length, dates, overlaps }),
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
  const lesson = state.lessons.find((each) => each.id === session.lessonId);
  const moved = moveSession(state, session, input, input.accept);
  if (lesson && !lesson.repeats) rescheduleOneOffLesson(lesson, input);
  return moved.session.id;
}

export interface Completion {
  sessionId: number;
  attendance: 'attended' | 'late' | 'absent';
  charge: boolean;
  notes: string | null;
}

/** Completes all the sessions or none of them. A session without a fee gets no charge. */
export function completeSessions(state: ScheduleState, completions: Completion[]): void {
  const ids = new Set(completions.map((each) => each.sessionId));
  if (ids.size !== completions.length) throw new RejectedError(404);
  for (const { sessionId } of completions) getSession(state, sessionId);
  for (const { sessionId, attendance, charge, notes } of completions) {
    const session = getSession(state, sessionId);
    assertScheduled(session);
    session.status = 'completed';
    session.attendance = attendance;
    if (notes !== null) session.notes = notes;
    if (charge && session.fee !== null) {
      session.charges.push({ amount: session.fee, reversed: false });
    }
  }
}

export interface CancelInput {
  sessionId: number;
  by: 'tutor' | 'student' | 'carer';
  reason: string | null;
  chargeFee: boolean;
}

/** The cancellation fee under the policy; null if there is none. */
export function proposedFee(
  state: ScheduleState,
  session: ModelSession,
  by: CancelInput['by'],
  noticeMinutes: number,
): number | null {
  if (by === 'tutor' || session.fee === null) return null;
  if (noticeMinutes >= state.policy.noticeHours * 60) return null;
  return Math.round((session.fee * state.policy.feePercent) / 100) || null;
}

export function cancelSession(
  state: ScheduleState,
  input: CancelInput,
  noticeMinutes: number,
): void {
  const session = getSession(state, input.sessionId);
  assertScheduled(session);
  const fee = proposedFee(state, session, input.by, noticeMinutes);
  session.status = 'cancelled';
  session.cancelledBy = input.by;
  session.cancelReason = input.reason;
  if (input.chargeFee && fee !== null) session.charges.push({ amount: fee, reversed: false });
}

/** Undoes a completion or cancellation and reverses its charges. As with a move, overlaps must be accepted. */
export function reopenSession(state: ScheduleState, sessionId: number, accept: boolean): void {
  const session = getSession(state, sessionId);
  if (session.status !== 'completed' && session.status !== 'cancelled')
    throw new RejectedError(409);
  assertLessonNotDeleted(state, session);
  restoreSession(session);
  for (const charge of session.charges) charge.reversed = true;
  requireAcceptance(state, [sessionId], accept);
}

function assertLessonNotDeleted(state: ScheduleState, session: ModelSession): void {
  const lesson = state.lessons.find((each) => each.id === session.lessonId);
  if (lesson?.deleted) throw new RejectedError(409);
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
  // Sessions that fall within other time off stay cancelled.
  for (const row of toRestore) {
    const other = state.timeOff.find((timeOff) => coversSession(timeOff, row));
    if (other) cancelWithoutFee(row, other.id);
  }
  const restored = toRestore.filter((row) => row.status === 'scheduled').map((row) => row.id);
  return { restored: restored.length, overlaps: requireAcceptance(state, restored, true) };
}

/** The nightly job: generates sessions from the last generated date up to a year ahead. */
export function extendAllSeries(state: ScheduleState): void {
  const horizon = horizonOf(state);
  for (const lesson of state.lessons) {
    if (lesson.deleted || !isOpenEnded(lesson) || lesson.generatedUntil >= horizon) continue;
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
