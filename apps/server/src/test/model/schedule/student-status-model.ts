import { daysAfter } from '../time-zones/zone-oracle.ts';
import { assertNotArchived } from './group-seats-model.ts';
import {
  dayBefore,
  expectedSeats,
  type ModelPause,
  type ModelSeat,
  type ModelSession,
  type OverlapPair,
  RejectedError,
  requireAcceptance,
  type ScheduleState,
} from './schedule-model.ts';
import {
  cancelDuringTimeOff,
  coversDate,
  isCancelledByPauses,
  pauseSeats,
  restorePausedSeat,
  restoreSession,
} from './time-off-and-pauses-model.ts';

/* Students who are paused, resume or leave for good. */

export interface StatusInput {
  studentId: number;
  status: 'trial' | 'active' | 'paused' | 'left';
  /** The days of the pause, open-ended without a last day. For a student who leaves, `from` is the last day. */
  from: string | null;
  to: string | null;
}

export interface StatusChange {
  status: 'trial' | 'active' | 'left';
  pause: { fromDate: string; toDate: string | null } | null;
  cancelledIds: number[];
  restoredIds: number[];
  overlaps: OverlapPair[];
}

type Days = Pick<ModelPause, 'from' | 'to'>;

/** A paused student's sessions are cancelled without a fee from the first to the last day of the pause. */
export function changeStatus(state: ScheduleState, input: StatusInput): StatusChange {
  const { studentId, status, from, to } = input;
  assertNotArchived(state, studentId);
  if (to !== null && to < state.today) throw new RejectedError(400);
  const change =
    status === 'left'
      ? leave(state, studentId, from ?? state.today)
      : comeBackOrPause(
          state,
          studentId,
          status === 'paused' && from !== null ? { from, to } : null,
        );
  const previous = state.statuses[studentId] ?? 'active';
  if (status !== 'paused') state.statuses[studentId] = status;
  else state.statuses[studentId] = previous === 'left' ? 'active' : previous;
  const [latest] = pausesOf(state, studentId);
  return {
    status: state.statuses[studentId],
    pause: latest ? { fromDate: latest.from, toDate: latest.to } : null,
    ...change,
  };
}

/** The student's pauses, latest first. They do not overlap. */
const pausesOf = (state: ScheduleState, studentId: number): ModelPause[] =>
  state.pauses
    .filter((pause) => pause.studentId === studentId && !pause.isDeparture)
    .toSorted((a, b) => b.from.localeCompare(a.from));

const isOver = ({ today }: ScheduleState, { to }: Days): boolean => to !== null && to < today;

/** The remaining part of a pause that ends today: the days up to yesterday. */
const daysUntilYesterday = ({ today }: ScheduleState, { from }: Days): Days | null =>
  from < today ? { from, to: dayBefore(today) } : null;

/** Cancels all lessons after the last day, linked to the departure, which replaces later pauses and any earlier departure. */
function leave(state: ScheduleState, studentId: number, lastDate: string) {
  const departure = findDeparture(state, studentId);
  const linked = state.sessions.filter((session) => {
    const timeOffId = seatOf(session, studentId)?.timeOffId ?? null;
    return timeOffId !== null && (session.date > lastDate || timeOffId === departure?.id);
  });
  const freed = linked.filter((session) => session.status !== 'completed');
  const cancelled = freed.filter(isCancelledByPauses);
  if (departure) removePause(state, departure.id);
  for (const pause of pausesOf(state, studentId))
    if (pause.from > lastDate) removePause(state, pause.id);
    else if (pause.to === null || pause.to > lastDate) pause.to = lastDate;
  freePausedSeats(state, studentId, freed, cancelled);
  const toCancel = state.sessions.filter(
    (session) => isExpected(session, studentId) && session.date > lastDate,
  );
  const id = ++state.ids.timeOff;
  state.pauses.push({
    id,
    studentId,
    from: daysAfter(lastDate, 1),
    to: null,
    isDeparture: true,
  });
  const restoredIds = freed.filter(({ status }) => status === 'scheduled').map((row) => row.id);
  for (const session of toCancel)
    pauseSeats(session, new Map([[seatOf(session, studentId) as ModelSeat, id]]));
  state.leftOn[studentId] = lastDate;
  const restored = restoredIds.filter((each) => !toCancel.some((row) => row.id === each));
  return {
    cancelledIds: toCancel.filter((row) => !linked.includes(row)).map((row) => row.id),
    restoredIds: restored,
    overlaps: requireAcceptance(state, restored, true),
  };
}

const findDeparture = (state: ScheduleState, studentId: number): ModelPause | undefined =>
  state.pauses.find((pause) => pause.studentId === studentId && pause.isDeparture);

function removePause(state: ScheduleState, id: number): void {
  state.pauses = state.pauses.filter((pause) => pause.id !== id);
  unlinkFromPause(state, id);
}

/** Ends the departure, which restores the lessons from today onwards, and then changes the pause. */
function comeBackOrPause(state: ScheduleState, studentId: number, requested: Days | null) {
  const departure = findDeparture(state, studentId);
  if (!departure) return changePause(state, studentId, requested);
  const freed = state.sessions.filter(
    (session) =>
      session.status !== 'completed' &&
      seatOf(session, studentId)?.timeOffId === departure.id &&
      session.date >= state.today,
  );
  const cancelled = freed.filter(isCancelledByPauses);
  const days = daysUntilYesterday(state, departure);
  if (days) Object.assign(departure, { ...days, isDeparture: false });
  else removePause(state, departure.id);
  freePausedSeats(state, studentId, freed, cancelled);
  const returned = freed.filter(({ status }) => status === 'scheduled').map(({ id }) => id);
  const change = changePause(state, studentId, requested);
  const changed = [...change.cancelledIds, ...change.restoredIds];
  const ids = returned.filter((id) => !changed.includes(id));
  return {
    cancelledIds: change.cancelledIds.filter((id) => !returned.includes(id)),
    restoredIds: [...ids, ...change.restoredIds],
    overlaps: [...requireAcceptance(state, ids, true), ...change.overlaps],
  };
}

/** Restores the seats, and the sessions that were cancelled as a whole. */
function freePausedSeats(
  state: ScheduleState,
  studentId: number,
  freed: readonly ModelSession[],
  cancelled: readonly ModelSession[],
): void {
  for (const session of freed) {
    restorePausedSeat(seatOf(session, studentId) as ModelSeat);
    if (!cancelled.includes(session)) continue;
    restoreSession(session);
    // Other students may still be paused, and the tutor may have time off.
    cancelDuringTimeOff(state, session);
  }
}

const isExpected = (session: ModelSession, studentId: number): boolean =>
  session.status === 'scheduled' &&
  expectedSeats(session).some((seat) => seat.studentId === studentId);

const seatOf = ({ seats }: ModelSession, studentId: number): ModelSeat | undefined =>
  seats.find((seat) => seat.studentId === studentId);

/**
 * Sets, changes or ends a pause. Only days that the pause covers now but not before, or vice versa, are affected, so that
 * sessions that the tutor has restored on other days stay scheduled.
 */
function changePause(state: ScheduleState, studentId: number, requested: Days | null) {
  const pauses = pausesOf(state, studentId);
  const current = pauses.find((pause) => !isOver(state, pause));
  const earlier = pauses.find((pause) => pause !== current);
  if (requested && earlier?.to && requested.from <= earlier.to) throw new RejectedError(400);
  const next = requested ?? (current ? daysUntilYesterday(state, current) : null);
  const isIn = (days: Days | null | undefined, { date }: ModelSession): boolean =>
    days ? coversDate(days, date) : false;
  // Completed sessions do not change, because the paused student did not take part.
  const freed = state.sessions.filter(
    (session) =>
      session.status !== 'completed' &&
      (seatOf(session, studentId)?.timeOffId ?? null) !== null &&
      isIn(current, session) &&
      !isIn(next, session),
  );
  const cancelled = freed.filter(isCancelledByPauses);
  const toPause = state.sessions.filter(
    (session) => isExpected(session, studentId) && isIn(next, session) && !isIn(current, session),
  );
  const pauseId = savePause(state, studentId, current, next);
  freePausedSeats(state, studentId, freed, cancelled);
  const restoredIds = freed.filter(({ status }) => status === 'scheduled').map(({ id }) => id);
  const overlaps = requireAcceptance(state, restoredIds, true);
  for (const session of toPause)
    pauseSeats(session, new Map([[seatOf(session, studentId) as ModelSeat, pauseId]]));
  return { cancelledIds: toPause.map(({ id }) => id), restoredIds, overlaps };
}

/** Returns the id of the pause, or 0 if it no longer covers any day. */
function savePause(
  state: ScheduleState,
  studentId: number,
  current: ModelPause | undefined,
  next: Days | null,
): number {
  const others = state.pauses.filter((pause) => pause !== current);
  if (!next) {
    state.pauses = others;
    if (current) unlinkFromPause(state, current.id);
    return 0;
  }
  const id = current?.id ?? ++state.ids.timeOff;
  state.pauses = [...others, { id, studentId, isDeparture: false, ...next }];
  return id;
}

function unlinkFromPause(state: ScheduleState, id: number): void {
  for (const each of state.sessions.flatMap((session) => [session, ...session.seats]))
    if (each.timeOffId === id) each.timeOffId = null;
}
