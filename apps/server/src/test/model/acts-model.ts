import {
  addSessions,
  askAbout,
  bringBack,
  cancelFree,
  consequences,
  covers,
  datesOf,
  goesOn,
  horizonOf,
  type MLesson,
  type MSession,
  type MTimeOff,
  mustBeScheduled,
  type Pair,
  Refused,
  type State,
  sessionOf,
  throughOf,
} from './book-model.ts';
import { type Dialog, move, oneTimeAt, type Saved, standsElsewhere } from './series-model.ts';
import { daysAfter } from './zone-oracle.ts';

/* Everything a tutor does besides changing and deleting lessons, and what the night's job does. */

export interface Create {
  dialog: Dialog;
  earlier: 'skip' | 'taught';
  accept: boolean;
}

export function create(state: State, { dialog, earlier, accept }: Create): Saved {
  const { repeats, pattern, date } = dialog;
  const endDate = repeats ? dialog.endDate : null;
  const through = repeats ? throughOf(state, endDate) : date;
  const all = repeats ? datesOf(pattern, date, date, through) : [date];
  const dates = repeats && earlier === 'skip' ? all.filter((day) => day >= state.today) : all;
  if (dates.length === 0) throw new Refused(400);
  const lesson: MLesson = {
    ...dialog,
    id: ++state.ids.lesson,
    date: dates[0] ?? date,
    anchor: date,
    endDate,
    through,
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
  const overlaps = askAbout(
    state,
    made.map((row) => row.id),
    accept,
  );
  return {
    lessonId: lesson.id,
    sessionId: made[0]?.id ?? null,
    consequences: consequences({ created: made.length, dates, overlaps }),
  };
}

export interface Reschedule {
  sessionId: number;
  date: string;
  start: string;
  end: string;
  accept: boolean;
}

export function reschedule(state: State, input: Reschedule): number {
  const session = sessionOf(state, input.sessionId);
  mustBeScheduled(session);
  if (!standsElsewhere(session, input)) return session.id;
  const lesson = state.lessons.find((one) => one.id === session.lessonId);
  const moved = move(state, session, input, input.accept);
  if (lesson && !lesson.repeats) oneTimeAt(lesson, input);
  return moved.session.id;
}

export interface Completion {
  sessionId: number;
  attendance: 'attended' | 'late' | 'absent';
  charge: boolean;
  notes: string | null;
}

/** All of them or none. A free lesson makes no charge. */
export function complete(state: State, completions: Completion[]): void {
  const ids = new Set(completions.map((one) => one.sessionId));
  if (ids.size !== completions.length) throw new Refused(404);
  for (const { sessionId } of completions) sessionOf(state, sessionId);
  for (const { sessionId, attendance, charge, notes } of completions) {
    const session = sessionOf(state, sessionId);
    mustBeScheduled(session);
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
  state: State,
  session: MSession,
  by: Cancel['by'],
  noticeMinutes: number,
): number | null {
  if (by === 'tutor' || session.fee === null) return null;
  if (noticeMinutes >= state.policy.noticeHours * 60) return null;
  return Math.round((session.fee * state.policy.feePercent) / 100) || null;
}

export function cancel(state: State, input: Cancel, noticeMinutes: number): void {
  const session = sessionOf(state, input.sessionId);
  mustBeScheduled(session);
  const fee = proposedFee(state, session, input.by, noticeMinutes);
  session.status = 'cancelled';
  session.cancelledBy = input.by;
  session.cancelReason = input.reason;
  if (input.chargeFee && fee !== null) session.charges.push({ amount: fee, reversed: false });
}

/** Takes a completion or cancellation back, with its charge; it asks about overlaps as a move does. */
export function reopen(state: State, sessionId: number, accept: boolean): void {
  const session = sessionOf(state, sessionId);
  if (session.status !== 'completed' && session.status !== 'cancelled') throw new Refused(409);
  lessonMustBeLive(state, session);
  bringBack(session);
  for (const charge of session.charges) charge.reversed = true;
  askAbout(state, [sessionId], accept);
}

function lessonMustBeLive(state: State, session: MSession): void {
  const lesson = state.lessons.find((one) => one.id === session.lessonId);
  if (lesson?.deleted) throw new Refused(409);
}

export interface TakeOff {
  from: string;
  to: string;
  start: string | null;
  end: string | null;
  cancelIds: number[];
}

export const insideTimeOff = (state: State, off: Omit<MTimeOff, 'id'>): MSession[] =>
  state.sessions.filter((row) => row.status === 'scheduled' && covers({ ...off, id: 0 }, row));

/** The ticked sessions inside are cancelled by the tutor, free. */
export function takeOff(state: State, { cancelIds, ...range }: TakeOff): MTimeOff {
  const inside = insideTimeOff(state, range);
  const ticked = inside.filter((row) => cancelIds.includes(row.id));
  if (ticked.length !== new Set(cancelIds).size) throw new Refused(409);
  const off = { id: ++state.ids.timeOff, ...range };
  state.timeOff.push(off);
  for (const row of ticked) cancelFree(row, off.id);
  return off;
}

/** Removing it offers to restore what it cancelled; what overlaps by now is told, not asked. */
export function endTimeOff(
  state: State,
  id: number,
  restore: boolean,
): { restored: number; overlaps: Pair[] } {
  if (!state.timeOff.some((off) => off.id === id)) throw new Refused(404);
  state.timeOff = state.timeOff.filter((off) => off.id !== id);
  const its = state.sessions.filter((row) => row.timeOffId === id);
  const coming = its.filter((row) => restore && row.status === 'cancelled');
  for (const row of its) row.timeOffId = null;
  for (const row of coming) bringBack(row);
  // What other time off covers stays off.
  for (const row of coming) {
    const other = state.timeOff.find((off) => covers(off, row));
    if (other) cancelFree(row, other.id);
  }
  const back = coming.filter((row) => row.status === 'scheduled').map((row) => row.id);
  return { restored: back.length, overlaps: askAbout(state, back, true) };
}

/** The night's job: a year of sessions ahead, going on from where the rows end. */
export function moveHorizon(state: State): void {
  const horizon = horizonOf(state);
  for (const lesson of state.lessons) {
    if (lesson.deleted || !goesOn(lesson) || lesson.through >= horizon) continue;
    const through = throughOf(state, lesson.endDate);
    const { pattern, anchor } = lesson;
    addSessions(state, lesson, datesOf(pattern, anchor, daysAfter(lesson.through, 1), through));
    lesson.through = through;
  }
}

/** What the list of lessons says. */
export function statusOf(state: State, lesson: MLesson): string {
  const rows = state.sessions.filter((row) => row.lessonId === lesson.id);
  if (rows.some((row) => row.status === 'scheduled') || goesOn(lesson)) return 'scheduled';
  return rows.some((row) => row.status === 'completed') ? 'completed' : 'cancelled';
}
