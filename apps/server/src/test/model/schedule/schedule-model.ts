import type { Overlap } from '@lessonbook/contract/errors';
import {
  daysAfter,
  monthsAfter,
  occurrenceDate,
  type RecurrencePattern,
} from '../time-zones/zone-oracle.ts';

/*
 * A model of a tutor's schedule as plain lists, based on the product's rules. It uses no database, no instants and no
 * server code; the model runner compares it with the server after each command.
 */

/** A lesson at this place uses Google Meet. */
export const GOOGLE_MEET = 'Google Meet';

/** The fields of the lesson dialog. For a group: the first student and the sum of the fees. */
export interface Fields {
  title: string;
  studentId: number;
  subjectId: number;
  /** In minor units of the currency. */
  fee: number | null;
  currency: string;
  place: string | null;
}

/** A student's place in a session. */
export interface ModelSeat {
  studentId: number;
  position: number;
  fee: number | null;
  currency: string;
  feeSource: 'session' | 'student' | 'lesson' | 'rate' | 'subject';
  /** Cancelled for this student only. */
  state: 'expected' | 'cancelled';
  attendance: string | null;
  isBillable: boolean;
  cancelledBy: string | null;
  cancelReason: string | null;
  noticeMinutes: number | null;
  /** The pause that cancelled the seat, or the whole session if no other student was expected. */
  timeOffId: number | null;
}

/** A student in a lesson. Both dates are inclusive. */
export interface ModelRosterEntry {
  studentId: number;
  position: number;
  /** The student's own price; 0 is free, null is the lesson's price. */
  ownFee: number | null;
  from: string | null;
  to: string | null;
}

export interface ModelSession extends Pick<Fields, 'title' | 'subjectId' | 'place'> {
  id: number;
  lessonId: number;
  /** In the order of their positions. */
  seats: ModelSeat[];
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
  cancelledBy: string | null;
  cancelReason: string | null;
  timeOffId: number | null;
  movedTo: number | null;
  movedFrom: number | null;
  charges: { studentId: number; amount: number; reversed: boolean }[];
}

/** The fee is the price of one place. If the lesson uses rates, it is the default fee of the subject when it was saved. */
export interface ModelLesson extends Omit<Fields, 'studentId'> {
  id: number;
  usesRates: boolean;
  /** The school terms that the series follows; null for all year. */
  termCalendarId: number | null;
  roster: ModelRosterEntry[];
  date: string;
  start: string;
  end: string;
  notes: string | null;
  repeats: boolean;
  pattern: RecurrencePattern;
  /** The date that the recurrence pattern starts from. */
  anchor: string;
  endDate: string | null;
  /** Sessions have been generated up to and including this date. */
  generatedUntil: string;
  continuesLessonId: number | null;
  deleted: boolean;
  /** Local time, like `ScheduleState.now`. */
  deletedAt: string | null;
}

export interface ModelTimeOff {
  id: number;
  from: string;
  to: string;
  start: string | null;
  end: string | null;
}

/** A pause without a last day is open-ended. */
export interface ModelPause {
  id: number;
  studentId: number;
  from: string;
  to: string | null;
  /** True if the student has left; the entry is then not a pause. */
  isDeparture: boolean;
}

export interface ModelSubject {
  fee: number;
  currency: string;
}

/** What a student pays for a subject from a date until the next rate. */
export interface ModelRate {
  id: number;
  studentId: number;
  subjectId: number;
  amount: number;
  currency: string;
  unit: 'hour' | 'lesson';
  validFrom: string;
}

/** Both dates are inclusive. */
export interface ModelTerm {
  from: string;
  to: string;
}

/** A rule that the model deliberately gets wrong, to test that the comparison detects it. */
export type WrongRule = 'rates apply before their date' | 'terms have no gaps';

export interface ScheduleState {
  wrongRule: WrongRule | null;
  today: string;
  /** The tutor's local time, such as "2026-11-16 12:00". */
  now: string;
  lessons: ModelLesson[];
  sessions: ModelSession[];
  timeOff: ModelTimeOff[];
  /** Pauses and time off share one sequence of ids. */
  pauses: ModelPause[];
  archivedStudents: number[];
  /** Students are active unless listed here. */
  statuses: Record<number, 'trial' | 'active' | 'left'>;
  /** The last days of those who have left. */
  leftOn: Record<number, string>;
  policy: { noticeHours: number; feePercent: number };
  subjects: Record<number, ModelSubject>;
  rates: ModelRate[];
  calendars: { id: number; terms: ModelTerm[] }[];
  ids: { lesson: number; session: number; timeOff: number; rate: number; calendar: number };
}

export interface ModelConsequences {
  changed: number;
  created: number;
  removed: number;
  unchanged: Record<string, number>;
  firstDate: string | null;
  lastDate: string | null;
  overlaps: OverlapPair[];
  /** Dates between the school terms, which have no session. */
  outsideTerms: string[];
}

/** Two sessions that overlap; `session` is the one that is new or moved. */
export interface OverlapPair {
  session: ModelSession;
  other: ModelSession;
  /** Both sessions are new or moved, so the server may list either first. */
  bothChanged: boolean;
}

/** Thrown when the model rejects the command; the server must return this status. */
export class RejectedError extends Error {
  readonly status: number;
  readonly pairs: OverlapPair[];
  constructor(status: number, pairs: OverlapPair[] = []) {
    super(`rejected with ${status}`);
    this.status = status;
    this.pairs = pairs;
  }
}

export const occurrenceDateOf = (session: ModelSession): string =>
  session.seriesDate ?? session.originalDate;
export const hasEnded = (state: ScheduleState, session: ModelSession): boolean =>
  `${session.date} ${session.end}` <= state.now;
export const sessionsInLesson = (state: ScheduleState, lessonId: number): ModelSession[] =>
  state.sessions.filter((session) => session.lessonId === lessonId);

export function getLesson(state: ScheduleState, id: number): ModelLesson {
  const lesson = state.lessons.find((each) => each.id === id && !each.deleted);
  if (!lesson) throw new RejectedError(404);
  return lesson;
}

/** A session cannot return to the schedule once its lesson has been deleted. */
export function getLessonOfSession(state: ScheduleState, { lessonId }: ModelSession): ModelLesson {
  const lesson = state.lessons.find((each) => each.id === lessonId && !each.deleted);
  if (!lesson) throw new RejectedError(409);
  return lesson;
}

export function getSession(state: ScheduleState, id: number): ModelSession {
  const session = state.sessions.find((each) => each.id === id);
  if (!session) throw new RejectedError(404);
  return session;
}

export function assertScheduled(session: ModelSession): void {
  if (session.status !== 'scheduled') throw new RejectedError(409);
}

export const horizonOf = (state: ScheduleState): string => monthsAfter(state.today, 12);

/** The date up to which a lesson has sessions, as of today. */
export const lastGeneratedDate = (state: ScheduleState, endDate: string | null): string => {
  const horizon = horizonOf(state);
  return endDate !== null && endDate < horizon ? endDate : horizon;
};

/** The dates of a pattern between two dates, both inclusive. */
export function occurrencesBetween(
  pattern: RecurrencePattern,
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

export const isOpenEnded = (lesson: ModelLesson): boolean =>
  lesson.repeats && (lesson.endDate === null || lesson.endDate > lesson.generatedUntil);

/* School terms. */

/** The terms of a calendar; null if the lesson takes place all year. */
export function getTerms(state: ScheduleState, calendarId: number | null): ModelTerm[] | null {
  if (calendarId === null) return null;
  const calendar = state.calendars.find(({ id }) => id === calendarId);
  if (!calendar) throw new RejectedError(404);
  if (state.wrongRule !== 'terms have no gaps') return calendar.terms;
  const days = calendar.terms.flatMap(({ from, to }) => [from, to]).toSorted();
  return [{ from: days[0] as string, to: days.at(-1) as string }];
}

export const isInTerm = (terms: readonly ModelTerm[] | null, date: string): boolean =>
  terms === null || terms.some(({ from, to }) => from <= date && date <= to);

/** Dates after the last term do not count, because the next terms may be added later. */
export function datesOutsideTerms(
  terms: readonly ModelTerm[] | null,
  dates: readonly string[],
): string[] {
  if (terms === null) return [];
  const [lastDay = ''] = terms.map(({ to }) => to).toSorted((a, b) => b.localeCompare(a));
  return dates.filter((date) => date < lastDay && !isInTerm(terms, date));
}

/* Overlaps. Sessions never cross midnight and the clocks change at night, so comparing local times is enough. */

const sessionsOverlap = (a: ModelSession, b: ModelSession): boolean =>
  a.id !== b.id && a.date === b.date && a.start < b.end && a.end > b.start;

/** Finds the overlaps of new or moved sessions. Each pair is returned once. */
export function findOverlaps(state: ScheduleState, ids: ReadonlySet<number>): OverlapPair[] {
  const scheduled = state.sessions.filter((session) => session.status === 'scheduled');
  const byDate = Map.groupBy(scheduled, (session) => session.date);
  return scheduled
    .filter((session) => ids.has(session.id))
    .flatMap((session) =>
      (byDate.get(session.date) ?? [])
        .filter((other) => sessionsOverlap(session, other))
        .filter((other) => !ids.has(other.id) || other.id > session.id)
        .map((other) => ({ session, other, bothChanged: ids.has(other.id) })),
    );
}

/** Throws 409 with the overlaps unless the tutor has accepted them. */
export function requireAcceptance(
  state: ScheduleState,
  ids: Iterable<number>,
  accepted: boolean,
): OverlapPair[] {
  const pairs = findOverlaps(state, new Set(ids));
  if (pairs.length > 0 && !accepted) throw new RejectedError(409, pairs);
  return pairs;
}

/** All acceptable descriptions of the overlap. */
export function overlapDescriptions({ session, other, bothChanged }: OverlapPair): string[] {
  const describe = (a: ModelSession, b: ModelSession) =>
    describeOverlap({ ...times(a), ...withTimes(b) });
  return bothChanged
    ? [describe(session, other), describe(other, session)]
    : [describe(session, other)];
}
const times = ({ date, start, end }: ModelSession) => ({ date, startTime: start, endTime: end });
/** The title follows the student. */
const withTimes = ({ id, title, start, end, seats }: ModelSession) => ({
  withSessionId: id,
  withTitle: `Student ${seats[0]?.studentId} - ${title}`,
  withStartTime: start,
  withEndTime: end,
});
export const describeOverlap = (each: Overlap): string =>
  `${each.date} ${each.startTime}–${each.endTime} overlaps ${each.withSessionId} "${each.withTitle}" ${each.withStartTime}–${each.withEndTime}`;

/* Seats. */

export const expectedSeats = ({ seats }: Pick<ModelSession, 'seats'>): ModelSeat[] =>
  seats.filter((seat) => seat.state === 'expected');

export const expectedOrPausedSeats = ({ seats }: ModelSession): ModelSeat[] =>
  seats.filter((seat) => seat.state === 'expected' || seat.timeOffId !== null);

/** The students who are in the lesson on a date. */
export const rosterOn = (lesson: ModelLesson, date: string): ModelRosterEntry[] =>
  lesson.roster.filter(
    ({ from, to }) => (from === null || from <= date) && (to === null || to >= date),
  );

/** The sum of the amounts; null if it is zero. */
export const sumOrNull = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0) || null;

/** A student who leaves can have lessons up to and including their last day. */
const hasLeft = (state: ScheduleState, id: number): boolean =>
  state.statuses[id] === 'left' && state.today > (state.leftOn[id] ?? '');

/** Archived students are not found, and those who have left get no new lessons. */
export function assertCurrentStudents(state: ScheduleState, studentIds: readonly number[]): void {
  if (studentIds.some((id) => state.archivedStudents.includes(id))) throw new RejectedError(404);
  if (studentIds.some((id) => hasLeft(state, id))) throw new RejectedError(409);
}

export const dayBefore = (date: string): string => daysAfter(date, -1);

export function summarizeChange(
  input: Partial<Omit<ModelConsequences, 'unchanged' | 'firstDate' | 'lastDate'>> & {
    unchanged?: string[];
    dates?: string[];
  },
): ModelConsequences {
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
    outsideTerms: input.outsideTerms ?? [],
  };
}
