import type { Overlap } from '@lessonbook/contract/errors';
import { daysAfter, monthsAfter, occurrenceDate, type Repeat } from '../time-zones/zone-oracle.ts';

/*
 * A model of a tutor's schedule as plain lists, based on the product's rules. It uses no database, no instants and no
 * server code; the model runner compares it with the server after each command.
 */

export interface Fields {
  title: string;
  studentId: number;
  subjectId: number;
  /** In minor units of the currency. */
  fee: number | null;
  currency: string;
  place: string | null;
}

export interface MSession extends Fields {
  id: number;
  lessonId: number;
  /** The date of the series occurrence that this session fills; null once it has been moved out of the series. */
  seriesDate: string | null;
  /** The date of the occurrence that the session was created for. */
  originalDate: string;
  date: string;
  start: string;
  end: string;
  status: 'scheduled' | 'completed' | 'cancelled' | 'rescheduled';
  /** If null, the lesson's notes are shown. */
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
  /** The date that the recurrence pattern starts from. */
  anchor: string;
  endDate: string | null;
  /** Sessions have been generated up to and including this date. */
  generatedUntil: string;
  continues: number | null;
  deleted: boolean;
  /** Local time, like `ScheduleState.now`. */
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
  /** The tutor's local time, such as "2026-11-16 12:00". */
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
  unchanged: Record<string, number>;
  firstDate: string | null;
  lastDate: string | null;
  overlaps: Pair[];
}

/** Two sessions that overlap; `session` is the one that is new or moved. */
export interface Pair {
  session: MSession;
  other: MSession;
  /** Both sessions are new or moved, so the server may list either first. */
  both: boolean;
}

/** Thrown when the model rejects the command; the server must return this status. */
export class Rejected extends Error {
  readonly status: number;
  readonly pairs: Pair[];
  constructor(status: number, pairs: Pair[] = []) {
    super(`rejected with ${status}`);
    this.status = status;
    this.pairs = pairs;
  }
}

export const occurrenceDateOf = (session: MSession): string =>
  session.seriesDate ?? session.originalDate;
export const hasEnded = (state: ScheduleState, session: MSession): boolean =>
  `${session.date} ${session.end}` <= state.now;
export const sessionsOfLesson = (state: ScheduleState, lessonId: number): MSession[] =>
  state.sessions.filter((session) => session.lessonId === lessonId);

export function lessonOf(state: ScheduleState, id: number): MLesson {
  const lesson = state.lessons.find((each) => each.id === id && !each.deleted);
  if (!lesson) throw new Rejected(404);
  return lesson;
}

export function sessionOf(state: ScheduleState, id: number): MSession {
  const session = state.sessions.find((each) => each.id === id);
  if (!session) throw new Rejected(404);
  return session;
}

export function assertScheduled(session: MSession): void {
  if (session.status !== 'scheduled') throw new Rejected(409);
}

export const horizonOf = (state: ScheduleState): string => monthsAfter(state.today, 12);

/** The date up to which a lesson has sessions, as of today. */
export const generatedUntilOf = (state: ScheduleState, endDate: string | null): string => {
  const horizon = horizonOf(state);
  return endDate !== null && endDate < horizon ? endDate : horizon;
};

/** The dates of a pattern between two dates, both inclusive. */
export function occurrencesBetween(
  pattern: Repeat,
  anchor: string,
  from: string,
  to: string,
): string[] {
  const dates: string[] = [];
  for (let step = 0; ; step++) {
    const date = occurrenceDate(pattern, anchor, step);
    if (date > to) return dates;
    if (date >= from) dates.push(date);
  }
}

export const isOpenEnded = (lesson: MLesson): boolean =>
  lesson.repeats && (lesson.endDate === null || lesson.endDate > lesson.generatedUntil);

/* Overlaps. Sessions never cross midnight and the clocks change at night, so comparing local times is enough. */

const overlap = (a: MSession, b: MSession): boolean =>
  a.id !== b.id && a.date === b.date && a.start < b.end && a.end > b.start;

/** The overlaps of sessions that are new or moved. Each pair is returned once. */
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

/** Throws 409 with the overlaps unless the tutor has accepted them. */
export function requireAcceptance(
  state: ScheduleState,
  ids: Iterable<number>,
  accepted: boolean,
): Pair[] {
  const pairs = overlapsOf(state, new Set(ids));
  if (pairs.length > 0 && !accepted) throw new Rejected(409, pairs);
  return pairs;
}

/** All acceptable descriptions of the overlap. */
export function overlapDescriptions({ session, other, both }: Pair): string[] {
  const describe = (a: MSession, b: MSession) => describeOverlap({ ...times(a), ...withTimes(b) });
  return both ? [describe(session, other), describe(other, session)] : [describe(session, other)];
}
const times = ({ date, start, end }: MSession) => ({ date, startTime: start, endTime: end });
const withTimes = ({ id, title, start, end }: MSession) => ({
  withSessionId: id,
  withTitle: title,
  withStartTime: start,
  withEndTime: end,
});
export const describeOverlap = (each: Overlap): string =>
  `${each.date} ${each.startTime}–${each.endTime} overlaps ${each.withSessionId} "${each.withTitle}" ${each.withStartTime}–${each.withEndTime}`;

/* Creating and cancelling sessions. */

/** Time off without a start and end time covers whole days. */
export const coversSession = (
  off: MTimeOff,
  session: { date: string; start: string; end: string },
): boolean =>
  session.date >= off.from &&
  session.date <= off.to &&
  (off.start === null || off.end === null || (session.start < off.end && session.end > off.start));

/** Adds the lesson's sessions on these dates. Sessions of a series that fall within time off are created as cancelled. */
export function addSessions(
  state: ScheduleState,
  lesson: MLesson,
  dates: readonly string[],
): MSession[] {
  const { title, studentId, subjectId, fee, currency, place, start, end } = lesson;
  const created = dates.map((date): MSession => {
    const off = lesson.repeats
      ? state.timeOff.find((each) => coversSession(each, { date, start, end }))
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
      seriesDate: date,
      originalDate: date,
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
  state.sessions.push(...created);
  return created;
}

/** Cancels the session on the tutor's behalf, which never incurs a fee. */
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
  input: Partial<Omit<MConsequences, 'unchanged' | 'firstDate' | 'lastDate'>> & {
    unchanged?: string[];
    dates?: string[];
  },
): MConsequences {
  const unchanged: Record<string, number> = {};
  for (const reason of input.unchanged ?? []) unchanged[reason] = (unchanged[reason] ?? 0) + 1;
  const dates = (input.dates ?? []).toSorted();
  return {
    changed: input.changed ?? 0,
    created: input.created ?? 0,
    removed: input.removed ?? 0,
    unchanged,
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
    overlaps: input.overlaps ?? [],
  };
}
