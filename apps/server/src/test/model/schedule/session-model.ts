import { daysAfter } from '../time-zones/zone-oracle.ts';
import {
  addSessions,
  assertScheduled,
  cancelWithoutFee,
  coversSession,
  generatedUntilOf,
  horizonOf,
  isOpenEnded,
  type MLesson,
  type MSession,
  type MTimeOff,
  occurrencesBetween,
  type Pair,
  Rejected,
  requireAcceptance,
  restoreSession,
  type ScheduleState,
  sessionOf,
  summarizeChange,
} from './schedule-model.ts';
import {
  type Dialog,
  hasDifferentTime,
  move,
  rescheduleOneTimeLesson,
  type Saved,
} from './series-model.ts';

/* Everything a tutor does besides changing and deleting lessons, and what the night's job does. */

export interface Create {
  dialog: Dialog;
  earlier: 'skip' | 'taught';
  accept: boolean;
}

export function create(state: ScheduleState, { dialog, earlier, accept }: Create): Saved {
  const { repeats, pattern, date } = dialog;
  const endDate = repeats ? dialog.endDate : null;
  const through = repeats ? generatedUntilOf(state, endDate) : date;
  const all = repeats ? occurrencesBetween(pattern, date, date, through) : [date];
  const dates = repeats && earlier === 'skip' ? all.filter((day) => day >= state.today) : all;
  if (dates.length === 0) throw new Rejected(400);
  const lesson: MLesson = {
    ...dialog,
    id: ++state.ids.lesson,
    date: dates[0] ?? date,
    anchor: date,
    endDate,
    generatedUntil: through,
    continues: null,
    deleted: false,
    deletedAt: null,
  };
  state.lessons.push(lesson);
  const made = addSessions(state, lesson, dates);
  const taught = made.filter((row) => repeats && earlier === 'taught' && row.date < state.today);
  for (const row of taught.filter((one) => one.status === 'scheduled')) {
    row.status = 'completed';
    row.attendance = 'attended';
  }
  const overlaps = requireAcceptance(
    state,
    made.map((row) => row.id),
    accept,
  );
  return {
    lessonId: lesson.id,
    sessionId: made[0]?.id ?? null,
    consequences: summarizeChange({ created: made.length, dates, overlaps }),
  };
}

export interface Reschedule {
  sessionId: number;
  date: string;
  start: string;
  end: string;
  accept: boolean;
}

export function reschedule(state: ScheduleState, input: Reschedule): number {
  const session = sessionOf(state, input.sessionId);
  assertScheduled(session);
  if (!hasDifferentTime(session, input)) return session.id;
  const lesson = state.lessons.find((one) => one.id === session.lessonId);
  const moved = move(state, session, input, input.accept);
  if (lesson && !lesson.repeats) rescheduleOneTimeLesson(lesson, input);
  return moved.session.id;
}

export interface Completion {
  sessionId: number;
  attendance: 'attended' | 'late' | 'absent';
  charge: boolean;
  notes: string | null;
}

/** All of them or none. A free lesson makes no charge. */
export function complete(state: ScheduleState, completions: Completion[]): void {
  const ids = new Set(completions.map((one) => one.sessionId));
  if (ids.size !== completions.length) throw new Rejected(404);
  for (const { sessionId } of completions) sessionOf(state, sessionId);
  for (const { sessionId, attendance, charge, notes } of completions) {
    const session = sessionOf(state, sessionId);
    assertScheduled(session);
    session.status = 'completed';
    session.attendance = attendance;
    if (notes !== null) session.notes = notes;
    if (charge && session.fee !== null) {
      session.charges.push({ amount: session.fee, reversed: false });
    }
  }
}

export interface Cancel {
  sessionId: number;
  by: 'tutor' | 'student' | 'carer';
  reason: string | null;
  chargeFee: boolean;
}

/** What the policy proposes; null is nothing. */
export function proposedFee(
  state: ScheduleState,
  session: MSession,
  by: Cancel['by'],
  noticeMinutes: number,
): number | null {
  if (by === 'tutor' || session.fee === null) return null;
  if (noticeMinutes >= state.policy.noticeHours * 60) return null;
  return Math.round((session.fee * state.policy.feePercent) / 100) || null;
}

export function cancel(state: ScheduleState, input: Cancel, noticeMinutes: number): void {
  const session = sessionOf(state, input.sessionId);
  assertScheduled(session);
  const fee = proposedFee(state, session, input.by, noticeMinutes);
  session.status = 'cancelled';
  session.cancelledBy = input.by;
  session.cancelReason = input.reason;
  if (input.chargeFee && fee !== null) session.charges.push({ amount: fee, reversed: false });
}

/** Takes a completion or cancellation back, with its charge; it asks about overlaps as a move does. */
export function reopen(state: ScheduleState, sessionId: number, accept: boolean): void {
  const session = sessionOf(state, sessionId);
  if (session.status !== 'completed' && session.status !== 'cancelled') throw new Rejected(409);
  assertLessonNotDeleted(state, session);
  restoreSession(session);
  for (const charge of session.charges) charge.reversed = true;
  requireAcceptance(state, [sessionId], accept);
}

function assertLessonNotDeleted(state: ScheduleState, session: MSession): void {
  const lesson = state.lessons.find((one) => one.id === session.lessonId);
  if (lesson?.deleted) throw new Rejected(409);
}

export interface CreateTimeOff {
  from: string;
  to: string;
  start: string | null;
  end: string | null;
  cancelIds: number[];
}

export const sessionsInTimeOff = (state: ScheduleState, off: Omit<MTimeOff, 'id'>): MSession[] =>
  state.sessions.filter(
    (row) => row.status === 'scheduled' && coversSession({ ...off, id: 0 }, row),
  );

/** The ticked sessions inside are cancelled by the tutor, free. */
export function createTimeOff(
  state: ScheduleState,
  { cancelIds, ...range }: CreateTimeOff,
): MTimeOff {
  const adminDb = sessionsInTimeOff(state, range);
  const ticked = adminDb.filter((row) => cancelIds.includes(row.id));
  if (ticked.length !== new Set(cancelIds).size) throw new Rejected(409);
  const off = { id: ++state.ids.timeOff, ...range };
  state.timeOff.push(off);
  for (const row of ticked) cancelWithoutFee(row, off.id);
  return off;
}

/** Removing it offers to restore what it cancelled; what overlaps by now is told, not asked. */
export function deleteTimeOff(
  state: ScheduleState,
  id: number,
  restore: boolean,
): { restored: number; overlaps: Pair[] } {
  if (!state.timeOff.some((off) => off.id === id)) throw new Rejected(404);
  state.timeOff = state.timeOff.filter((off) => off.id !== id);
  const its = state.sessions.filter((row) => row.timeOffId === id);
  const coming = its.filter((row) => restore && row.status === 'cancelled');
  for (const row of its) row.timeOffId = null;
  for (const row of coming) restoreSession(row);
  // What other time off covers stays off.
  for (const row of coming) {
    const other = state.timeOff.find((off) => coversSession(off, row));
    if (other) cancelWithoutFee(row, other.id);
  }
  const back = coming.filter((row) => row.status === 'scheduled').map((row) => row.id);
  return { restored: back.length, overlaps: requireAcceptance(state, back, true) };
}

/** The night's job: a year of sessions ahead, going on from where the rows end. */
export function extendAllSeries(state: ScheduleState): void {
  const horizon = horizonOf(state);
  for (const lesson of state.lessons) {
    if (lesson.deleted || !isOpenEnded(lesson) || lesson.generatedUntil >= horizon) continue;
    const through = generatedUntilOf(state, lesson.endDate);
    const { pattern, anchor } = lesson;
    addSessions(
      state,
      lesson,
      occurrencesBetween(pattern, anchor, daysAfter(lesson.generatedUntil, 1), through),
    );
    lesson.generatedUntil = through;
  }
}

/** What the list of lessons says. */
export function lessonStatus(state: ScheduleState, lesson: MLesson): string {
  const rows = state.sessions.filter((row) => row.lessonId === lesson.id);
  if (rows.some((row) => row.status === 'scheduled') || isOpenEnded(lesson)) return 'scheduled';
  return rows.some((row) => row.status === 'completed') ? 'completed' : 'cancelled';
}
