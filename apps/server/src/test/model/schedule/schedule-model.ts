import type { Overlap } from '@lessonbook/contract/errors';
import { daysAfter, monthsAfter, type Repeat, repeated } from '../time-zones/zone-oracle.ts';

/*
 * The tutor's book as plain lists, after the rules in the product's decisions. It knows no database, no instants and no
 * code of the server; the harness compares it with the real thing after each step.
 */

export interface Fields {
  title: string;
  studentId: number;
  subjectId: number;
  /** Minor units. */
  fee: number | null;
  currency: string;
  place: string | null;
}

export interface MSession extends Fields {
  id: number;
  lessonId: number;
  /** The place in the series that it fills; null once it was moved away or left behind. */
  slot: string | null;
  /** The place it came from. */
  origin: string;
  date: string;
  start: string;
  end: string;
  status: 'scheduled' | 'completed' | 'cancelled' | 'rescheduled';
  /** Its own; without one it shows the lesson's. */
  notes: string | null;
  edited: boolean;
  attendance: string | null;
  cancelledBy: string | null;
  cancelReason: string | null;
  timeOffId: number | null;
  movedTo: number | null;
  movedFrom: number | null;
  charges: { amount: number; reversed: boolean }[];
}

export interface MLesson extends Fields {
  id: number;
  date: string;
  start: string;
  end: string;
  notes: string | null;
  repeats: boolean;
  pattern: Repeat;
  /** What the pattern counts from. */
  anchor: string;
  endDate: string | null;
  /** Sessions exist up to this day. */
  generatedUntil: string;
  continues: number | null;
  deleted: boolean;
  /** What the wall showed then. */
  deletedAt: string | null;
}

export interface MTimeOff {
  id: number;
  from: string;
  to: string;
  start: string | null;
  end: string | null;
}

export interface ScheduleState {
  today: string;
  /** What the tutor's wall shows: "2026-11-16 12:00". */
  now: string;
  lessons: MLesson[];
  sessions: MSession[];
  timeOff: MTimeOff[];
  policy: { noticeHours: number; feePercent: number };
  ids: { lesson: number; session: number; timeOff: number };
}

export interface MConsequences {
  changed: number;
  created: number;
  removed: number;
  stays: Record<string, number>;
  firstDate: string | null;
  lastDate: string | null;
  overlaps: Pair[];
}

/** Two sessions that overlap: the one that is new or moved, and the one in its way. */
export interface Pair {
  session: MSession;
  other: MSession;
  /** Both are new: either may be named first. */
  both: boolean;
}

/** A refusal, with the status that the server must give. */
export class Rejected extends Error {
  readonly status: number;
  readonly pairs: Pair[];
  constructor(status: number, pairs: Pair[] = []) {
    super(`refused with ${status}`);
    this.status = status;
    this.pairs = pairs;
  }
}

export const occurrenceDateOf = (session: MSession): string => session.slot ?? session.origin;
export const hasEnded = (state: ScheduleState, session: MSession): boolean =>
  `${session.date} ${session.end}` <= state.now;
export const sessionsOfLesson = (state: ScheduleState, lessonId: number): MSession[] =>
  state.sessions.filter((session) => session.lessonId === lessonId);

export function lessonOf(state: ScheduleState, id: number): MLesson {
  const lesson = state.lessons.find((one) => one.id === id && !one.deleted);
  if (!lesson) throw new Rejected(404);
  return lesson;
}

export function sessionOf(state: ScheduleState, id: number): MSession {
  const session = state.sessions.find((one) => one.id === id);
  if (!session) throw new Rejected(404);
  return session;
}

export function assertScheduled(session: MSession): void {
  if (session.status !== 'scheduled') throw new Rejected(409);
}

export const horizonOf = (state: ScheduleState): string => monthsAfter(state.today, 12);

/** The last day up to which a lesson has sessions today. */
export const generatedUntilOf = (state: ScheduleState, endDate: string | null): string => {
  const horizon = horizonOf(state);
  return endDate !== null && endDate < horizon ? endDate : horizon;
};

/** The dates of a pattern between two days, both included. */
export function occurrencesBetween(
  pattern: Repeat,
  anchor: string,
  from: string,
  to: string,
): string[] {
  const dates: string[] = [];
  for (let step = 0; ; step++) {
    const date = repeated(pattern, anchor, step);
    if (date > to) return dates;
    if (date >= from) dates.push(date);
  }
}

export const isOpenEnded = (lesson: MLesson): boolean =>
  lesson.repeats && (lesson.endDate === null || lesson.endDate > lesson.generatedUntil);

/* Overlaps. Sessions never cross midnight and the clocks change at night, so the wall is enough. */

const overlap = (a: MSession, b: MSession): boolean =>
  a.id !== b.id && a.date === b.date && a.start < b.end && a.end > b.start;

/** What stands in the way of sessions that are new or moved. Each two are told once. */
export function overlapsOf(state: ScheduleState, ids: ReadonlySet<number>): Pair[] {
  const scheduled = state.sessions.filter((session) => session.status === 'scheduled');
  const byDate = Map.groupBy(scheduled, (session) => session.date);
  return scheduled
    .filter((session) => ids.has(session.id))
    .flatMap((session) =>
      (byDate.get(session.date) ?? [])
        .filter((other) => overlap(session, other))
        .filter((other) => !ids.has(other.id) || other.id > session.id)
        .map((other) => ({ session, other, both: ids.has(other.id) })),
    );
}

/** The tutor is told first, and asked once more. */
export function requireAcceptance(
  state: ScheduleState,
  ids: Iterable<number>,
  accepted: boolean,
): Pair[] {
  const pairs = overlapsOf(state, new Set(ids));
  if (pairs.length > 0 && !accepted) throw new Rejected(409, pairs);
  return pairs;
}

/** How an overlap may be told. */
export function overlapDescriptions({ session, other, both }: Pair): string[] {
  const tell = (a: MSession, b: MSession) => describeOverlap({ ...times(a), ...withTimes(b) });
  return both ? [tell(session, other), tell(other, session)] : [tell(session, other)];
}
const times = ({ date, start, end }: MSession) => ({ date, startTime: start, endTime: end });
const withTimes = ({ id, title, start, end }: MSession) => ({
  withSessionId: id,
  withTitle: title,
  withStartTime: start,
  withEndTime: end,
});
export const describeOverlap = (one: Overlap): string =>
  `${one.date} ${one.startTime}–${one.endTime} overlaps ${one.withSessionId} "${one.withTitle}" ${one.withStartTime}–${one.withEndTime}`;

/* Making sessions. */

/** Time off covers a session on its days and, where it has hours, inside them. */
export const coversSession = (
  off: MTimeOff,
  session: { date: string; start: string; end: string },
): boolean =>
  session.date >= off.from &&
  session.date <= off.to &&
  (off.start === null || off.end === null || (session.start < off.end && session.end > off.start));

/** A lesson's sessions on these dates. A series skips time off: what falls inside is cancelled by it from the start. */
export function addSessions(
  state: ScheduleState,
  lesson: MLesson,
  dates: readonly string[],
): MSession[] {
  const { title, studentId, subjectId, fee, currency, place, start, end } = lesson;
  const made = dates.map((date): MSession => {
    const off = lesson.repeats
      ? state.timeOff.find((one) => coversSession(one, { date, start, end }))
      : undefined;
    return {
      id: ++state.ids.session,
      lessonId: lesson.id,
      title,
      studentId,
      subjectId,
      fee,
      currency,
      place,
      slot: date,
      origin: date,
      date,
      start,
      end,
      status: off ? 'cancelled' : 'scheduled',
      notes: null,
      edited: false,
      attendance: null,
      cancelledBy: off ? 'tutor' : null,
      cancelReason: null,
      timeOffId: off?.id ?? null,
      movedTo: null,
      movedFrom: null,
      charges: [],
    };
  });
  state.sessions.push(...made);
  return made;
}

/** Cancelled by the tutor, who never charges. */
export function cancelWithoutFee(session: MSession, timeOffId: number | null = null): void {
  session.status = 'cancelled';
  session.cancelledBy = 'tutor';
  session.timeOffId = timeOffId;
}

export function restoreSession(session: MSession): void {
  session.status = 'scheduled';
  session.attendance = null;
  session.cancelledBy = null;
  session.cancelReason = null;
  session.timeOffId = null;
}

export const dayBefore = (date: string): string => daysAfter(date, -1);

export function summarizeChange(
  input: Partial<Omit<MConsequences, 'stays' | 'firstDate' | 'lastDate'>> & {
    stays?: string[];
    dates?: string[];
  },
): MConsequences {
  const stays: Record<string, number> = {};
  for (const reason of input.stays ?? []) stays[reason] = (stays[reason] ?? 0) + 1;
  const dates = (input.dates ?? []).toSorted();
  return {
    changed: input.changed ?? 0,
    created: input.created ?? 0,
    removed: input.removed ?? 0,
    stays,
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
    overlaps: input.overlaps ?? [],
  };
}
