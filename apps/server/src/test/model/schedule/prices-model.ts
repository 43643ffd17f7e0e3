import {
  assertCurrentStudents,
  type ModelLesson,
  type ModelRate,
  type ModelRosterEntry,
  type ModelSeat,
  type ModelSession,
  type ModelSubject,
  RejectedError,
  type ScheduleState,
} from './schedule-model.ts';

/* The fees of seats, and the rates of students. */

type Price = Pick<ModelSeat, 'fee' | 'currency' | 'feeSource'>;
type PricedSession = Pick<ModelSession, 'subjectId' | 'date' | 'start' | 'end'>;

/** No fee was entered, so the seat follows the student's rate. */
export const isAutomatic = ({ feeSource }: Pick<ModelSeat, 'feeSource'>): boolean =>
  feeSource === 'rate' || feeSource === 'subject';

export const subjectOf = (state: ScheduleState, id: number): ModelSubject =>
  state.subjects[id] as ModelSubject;

/** A seat has the student's own price if there is one, then the lesson's. Without either, the rate applies. */
export function newSeat(
  state: ScheduleState,
  lesson: ModelLesson,
  session: PricedSession,
  entry: ModelRosterEntry,
): ModelSeat {
  const { studentId, position, ownFee } = entry;
  const entered: Price = {
    fee: seatPrice(lesson, entry),
    currency: lesson.currency,
    feeSource: ownFee === null ? 'lesson' : 'student',
  };
  const price =
    lesson.usesRates && ownFee === null
      ? rateOrDefault(state, session, studentId, lesson)
      : entered;
  return {
    studentId,
    position,
    ...price,
    state: 'expected',
    attendance: null,
    isBillable: false,
    cancelledBy: null,
    cancelReason: null,
    noticeMinutes: null,
    timeOffId: null,
  };
}

/** The price without a rate. A price of 0 is free. */
export const seatPrice = (lesson: ModelLesson, { ownFee }: ModelRosterEntry): number | null =>
  (ownFee === null ? lesson.fee : ownFee) || null;

/** The latest rate that is valid on the date and in the same currency, or else the default fee. */
function rateOrDefault(
  state: ScheduleState,
  session: PricedSession,
  studentId: number,
  { fee, currency }: { fee: number | null; currency: string },
): Price {
  const hasStarted = ({ validFrom }: ModelRate) =>
    validFrom <= session.date || state.wrongRule === 'rates apply before their date';
  const [rate] = state.rates
    .filter((each) => each.studentId === studentId && each.subjectId === session.subjectId)
    .filter((each) => each.currency === currency && hasStarted(each))
    .toSorted((a, b) => b.validFrom.localeCompare(a.validFrom));
  if (!rate) return { fee, currency, feeSource: 'subject' };
  return { fee: amountFor(rate, session), currency, feeSource: 'rate' };
}

function amountFor({ unit, amount }: ModelRate, { start, end }: PricedSession): number {
  if (unit === 'lesson') return amount;
  const minutes = minuteOf(end) - minuteOf(start);
  return Math.max(1, Math.round((amount * minutes) / 60));
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Recalculates the fees that were not entered. A completed session and a charged seat keep theirs. */
export function repriceSession(
  state: ScheduleState,
  session: ModelSession,
  studentId: number | null = null,
): number {
  if (session.status === 'completed') return 0;
  const isCharged = (seat: ModelSeat) =>
    session.charges.some((charge) => charge.studentId === seat.studentId && !charge.reversed);
  const seats = session.seats.filter(
    (seat) =>
      isAutomatic(seat) && !isCharged(seat) && (studentId === null || seat.studentId === studentId),
  );
  let changed = 0;
  for (const seat of seats) {
    const fallback = seat.feeSource === 'subject' ? seat : defaultPrice(state, session, seat);
    const price = rateOrDefault(state, session, seat.studentId, fallback);
    if (price.fee !== seat.fee || price.feeSource !== seat.feeSource) changed += 1;
    Object.assign(seat, price);
  }
  return changed;
}

/**
 * The default fee from when the lesson was saved, or the current one if the session has a different subject or the lesson has a
 * price. The students of a session keep one currency, so a fee in another currency is ignored.
 */
function defaultPrice(state: ScheduleState, session: ModelSession, seat: ModelSeat) {
  const lesson = state.lessons.find(({ id }) => id === session.lessonId) as ModelLesson;
  const subject = subjectOf(state, session.subjectId);
  const isFromLesson = lesson.usesRates && lesson.subjectId === session.subjectId;
  const candidates = isFromLesson ? [lesson, subject] : [subject, lesson];
  return candidates.find(({ currency }) => currency === seat.currency) ?? seat;
}

const repriceStudent = (state: ScheduleState, studentId: number): number =>
  state.sessions.reduce((sum, session) => sum + repriceSession(state, session, studentId), 0);

export type RateInput = Pick<
  ModelRate,
  'studentId' | 'subjectId' | 'amount' | 'unit' | 'validFrom'
>;

/** Replaces a rate from the same date. Returns how many seats have a different fee afterwards. */
export function saveRate(state: ScheduleState, input: RateInput): number {
  const { studentId, subjectId, amount, unit, validFrom } = input;
  assertCurrentStudents(state, [studentId]);
  const { currency } = subjectOf(state, subjectId);
  const id = ++state.ids.rate;
  const existing = state.rates.find(
    (rate) =>
      rate.studentId === studentId && rate.subjectId === subjectId && rate.validFrom === validFrom,
  );
  if (existing) Object.assign(existing, { amount, unit, currency });
  else state.rates.push({ id, studentId, subjectId, amount, unit, validFrom, currency });
  return repriceStudent(state, studentId);
}

/** The previous rate applies again. Returns how many seats have a different fee afterwards. */
export function deleteRate(state: ScheduleState, id: number): number {
  const rate = state.rates.find((each) => each.id === id);
  if (!rate) throw new RejectedError(404);
  state.rates = state.rates.filter((each) => each !== rate);
  return repriceStudent(state, rate.studentId);
}
