import { addDaysToDate } from '@lessonbook/contract/dates';
import type { FeeSource } from '@lessonbook/contract/fee-source';
import { feeFromRate, findRateOn, type Rate } from '@lessonbook/contract/rates';
import type { Attendance, SeatState, SessionStatus } from '@lessonbook/contract/sessions';

/** A student's place in a session. */
export interface Seat {
  studentId: number;
  position: number;
  /** Minor units; null is free. */
  fee: number | null;
  currency: string;
  feeSource: FeeSource;
  state: SeatState;
  attendance: Attendance | null;
  isBillable: boolean;
  /** The pause that cancelled the seat, or the whole session if no other student was expected. */
  timeOffId: number | null;
}

export interface SeatRef {
  sessionId: number;
  studentId: number;
}

/** Identifies a seat, and the charges, invoice lines and messages about it. */
export const seatKey = (seat: { sessionId: number | null; studentId: number | null }): string =>
  `${seat.sessionId} ${seat.studentId}`;

/** A student on the roster of a lesson. Both dates are inclusive. */
export interface RosterEntry {
  studentId: number;
  position: number;
  /** The student's own price in minor units; 0 is free, null is the lesson's price. */
  fee: number | null;
  fromDate: string;
  toDate: string | null;
}

/** A price in minor units. Null means that nothing was entered, so the next price applies; 0 is free. */
type Price = number | null;

/**
 * The fee of a seat: the first price that was entered, from the most specific to the most general. A price that was entered
 * for the session, the student or the lesson is never replaced by a rate.
 */
export function resolveSeatFee(prices: {
  session?: Price;
  student?: Price;
  lesson?: Price;
  rate?: Price;
  subject?: Price;
}): { fee: number | null; feeSource: FeeSource } {
  const sources: FeeSource[] = ['session', 'student', 'lesson', 'rate', 'subject'];
  const feeSource = sources.find((source) => typeof prices[source] === 'number') ?? 'subject';
  return { fee: prices[feeSource] || null, feeSource };
}

export const filterExpectedSeats = <T extends { state: SeatState }>(seats: readonly T[]): T[] =>
  seats.filter((seat) => seat.state === 'expected');

/** Whether pauses cancelled the session, because they cover everybody who was expected. */
export function isPaused(session: {
  status: SessionStatus;
  seats: readonly Pick<Seat, 'state' | 'timeOffId'>[];
}): boolean {
  const isLinked = (seat: Pick<Seat, 'timeOffId'>) => seat.timeOffId !== null;
  return (
    session.status === 'cancelled' &&
    session.seats.some(isLinked) &&
    filterExpectedSeats(session.seats).every(isLinked)
  );
}

/** The sum of the fees of the students who are expected; null if it is free for all of them. */
export function totalFee(
  seats: readonly { fee: number | null; state: SeatState }[],
): number | null {
  const total = filterExpectedSeats(seats).reduce((sum, seat) => sum + (seat.fee ?? 0), 0);
  return total === 0 ? null : total;
}

/** The students on the roster on a date, in order. */
export const rosterOn = (roster: readonly RosterEntry[], date: string): RosterEntry[] =>
  roster.filter(({ fromDate, toDate }) => fromDate <= date && (toDate === null || date <= toDate));

/** The largest number of students on the given date or any later one. */
export const countMostStudentsFrom = (roster: readonly RosterEntry[], date: string): number =>
  Math.max(
    ...[date, ...roster.map(({ fromDate }) => fromDate).filter((from) => from > date)].map(
      (day) => rosterOn(roster, day).length,
    ),
  );

/** Whether the student takes part on or after a date. */
export const isOnRosterFrom = ({ toDate }: RosterEntry, date: string): boolean =>
  toDate === null || toDate >= date;

/** Whether the fee follows the student's rate, because none was entered. */
export const isAutomatic = ({ feeSource }: { feeSource: FeeSource }): boolean =>
  feeSource === 'rate' || feeSource === 'subject';

interface PricedSession {
  subjectId: number;
  date: string;
  startTime: string;
  endTime: string;
}

type RateTerms = Pick<Rate, 'studentId' | 'subjectId' | 'amount' | 'validFrom'> & {
  currency: string;
  unit: string;
};

/** The fee if none was entered: the student's rate on that date, or else the default. Rates in other currencies are ignored. */
export function resolveAutomaticFee(
  rates: readonly RateTerms[],
  seat: PricedSession & { studentId: number },
  { fee: defaultFee, currency }: { fee: number | null; currency: string },
): { fee: number | null; currency: string; feeSource: FeeSource } {
  const rate = findRateOn(
    rates.filter((each) => each.currency === currency),
    seat,
  );
  const price = resolveSeatFee({
    ...(rate ? { rate: feeFromRate(rate, seat) } : {}),
    subject: defaultFee,
  });
  return { ...price, currency };
}

/**
 * The fee of a student in a session of the lesson. A lesson without a price is free, unless it uses rates; its fee is then the
 * default fee of the subject.
 */
export function rosterFee(
  entry: RosterEntry,
  lesson: { fee: number | null; currency: string; usesRates: boolean },
  session: PricedSession,
  rates: readonly RateTerms[],
): { fee: number | null; currency: string; feeSource: FeeSource } {
  if (entry.fee === null && lesson.usesRates)
    return resolveAutomaticFee(rates, { ...session, studentId: entry.studentId }, lesson);
  const price = resolveSeatFee({ student: entry.fee, lesson: lesson.fee ?? 0 });
  return { ...price, currency: lesson.currency };
}

export type JoinProblem = 'already_in_lesson';

/** The roster after a student joins on a date. Students who leave or join after that date are already in the lesson. */
export function joinRoster(
  roster: readonly RosterEntry[],
  student: { studentId: number; fee: number | null },
  fromDate: string,
): RosterEntry[] | JoinProblem {
  const isInLesson = roster.some(
    (entry) => entry.studentId === student.studentId && isOnRosterFrom(entry, fromDate),
  );
  if (isInLesson) return 'already_in_lesson';
  const position = Math.max(-1, ...roster.map((entry) => entry.position)) + 1;
  return [...roster, { ...student, position, fromDate, toDate: null }];
}

/** The roster after a student leaves. The last day in the lesson is the day before `fromDate`. */
export function leaveRoster(
  roster: readonly RosterEntry[],
  studentId: number,
  fromDate: string,
): RosterEntry[] {
  const lastDate = addDaysToDate(fromDate, -1);
  return roster.flatMap((entry) => {
    if (entry.studentId !== studentId || !isOnRosterFrom(entry, fromDate)) return [entry];
    return entry.fromDate < fromDate ? [{ ...entry, toDate: lastDate }] : [];
  });
}
