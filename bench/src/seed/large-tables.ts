import {
  chargesFor,
  FEE,
  formatEndTime,
  formatInstant,
  formatStartTime,
  minuteOf,
  type PlannedCharge,
  type PlannedSession,
  paymentIdFor,
  SESSIONS,
  statusOf,
  tutorId,
} from './generated-tutor-data.ts';
import { hashNumbers, publicId } from './random.ts';
import { ID_KIND, lessonTitle, SQL_NULL, type TableRows } from './shared-row-values.ts';

const ATTENDANCE_SALT = 21;
const CANCELLER_SALT = 22;

/** Yields rows week by week, and tutor by tutor within a week, which is the order in which the server inserts sessions. */
function* rowsInChronologicalOrder(
  tutors: number,
  row: (tutor: number, session: PlannedSession) => string,
): Generator<string> {
  const weeks = Map.groupBy(SESSIONS, (session) => session.week);
  for (const [, sessions] of [...weeks].toSorted(([a], [b]) => a - b)) {
    for (let tutor = 0; tutor < tutors; tutor += 1) {
      let text = '';
      for (const session of sessions) text += row(tutor, session);
      if (text !== '') yield text;
    }
  }
}

/** The part of each session's COPY line that is the same for all tutors whose lessons start at the same minute. */
const sharedParts = new Map<number, string[]>();
function getSharedPart(minute: number, session: PlannedSession): string {
  let parts = sharedParts.get(minute);
  if (!parts) {
    parts = SESSIONS.map(({ lesson, date }) => {
      const [start, end] = [formatStartTime(lesson, minute), formatEndTime(lesson, minute)];
      return [
        lesson.id,
        lesson.subjectId,
        lessonTitle(lesson),
        date,
        date,
        date,
        start,
        end,
        formatInstant(date, start),
        formatInstant(date, end),
        formatInstant(date, start),
      ].join('\t');
    });
    sharedParts.set(minute, parts);
  }
  return parts[session.id - 1] ?? '';
}

function formatSession(tutor: number, session: PlannedSession): string {
  const status = statusOf(tutor, session);
  const key = `${tutorId(tutor)}\t${session.id}\t${publicId(ID_KIND.session, tutor, session.id)}`;
  return `${key}\t${getSharedPart(minuteOf(tutor), session)}\t${status}\t${pickCanceller(status, tutor, session.id)}\n`;
}

function pickAttendance(status: string, tutor: number, id: number, studentId: number): string {
  if (status !== 'completed') return SQL_NULL;
  const draw = hashNumbers(ATTENDANCE_SALT, tutor, id, studentId) % 100;
  if (draw < 5) return 'late';
  return draw < 8 ? 'absent' : 'attended';
}

const pickCanceller = (status: string, tutor: number, id: number): string =>
  status === 'cancelled'
    ? (['tutor', 'student', 'carer'][hashNumbers(CANCELLER_SALT, tutor, id) % 3] ?? SQL_NULL)
    : SQL_NULL;

/** Numbers each tutor's charges in the order of their sessions. */
function chargesInChronologicalOrder(
  tutors: number,
  row: (tutor: number, session: PlannedSession, charge: PlannedCharge, id: number) => string,
): Generator<string> {
  const lastIds = new Int32Array(tutors);
  return rowsInChronologicalOrder(tutors, (tutor, session) => {
    let text = '';
    for (const charge of chargesFor(tutor, session)) {
      const id = (lastIds[tutor] ?? 0) + 1;
      lastIds[tutor] = id;
      text += row(tutor, session, charge, id);
    }
    return text;
  });
}

/** One payment per family and month, dated the day of the last charge that it covers. */
function formatPayments(tutor: number): string {
  const payments = new Map<number, { familyId: number; amount: number; date: string }>();
  for (const session of SESSIONS) {
    for (const { familyId, amount, isPaid } of chargesFor(tutor, session)) {
      if (!isPaid) continue;
      const id = paymentIdFor(familyId, session.date);
      const sum = amount + (payments.get(id)?.amount ?? 0);
      payments.set(id, { familyId, amount: sum, date: session.date });
    }
  }
  let text = '';
  for (const [id, { familyId, amount, date }] of payments)
    text += `${tutorId(tutor)}\t${id}\t${publicId(ID_KIND.payment, tutor, id)}\t${familyId}\tpayment\t${amount}\tGBP\tbank_transfer\t${date}\t0\ttutor\t${formatInstant(date, '20:00')}\n`;
  return text;
}

/** Tables with many rows per tutor. */
export const LARGE_TABLES: readonly TableRows[] = [
  {
    table: 'sessions',
    columns: `tutor_id, id, public_id, lesson_id, subject_id, title, occurrence_date, series_date, date, start_time,
      end_time, starts_at, ends_at, created_at, status, cancelled_by`,
    lines: (tutors) => rowsInChronologicalOrder(tutors, formatSession),
  },
  {
    table: 'session_students',
    columns:
      'tutor_id, session_id, student_id, position, fee, currency, fee_source, attendance, is_billable',
    lines: (tutors) =>
      rowsInChronologicalOrder(tutors, (tutor, session) => {
        const status = statusOf(tutor, session);
        const isBillable = status === 'completed';
        return session.lesson.studentIds
          .map((studentId, position) => {
            const attendance = pickAttendance(status, tutor, session.id, studentId);
            return `${tutorId(tutor)}\t${session.id}\t${studentId}\t${position}\t${FEE}\tGBP\tlesson\t${attendance}\t${isBillable}\n`;
          })
          .join('');
      }),
  },
  {
    table: 'charges',
    columns: `tutor_id, id, public_id, family_id, student_id, session_id, kind, amount, currency, due_date, outstanding,
      paid_by_id, created_by, created_at`,
    lines: (tutors) =>
      chargesInChronologicalOrder(tutors, (tutor, { id: sessionId, date }, charge, id) => {
        const { studentId, familyId, amount, isPaid } = charge;
        const paid = isPaid ? `0\t${paymentIdFor(familyId, date)}` : `${amount}\t${SQL_NULL}`;
        return `${tutorId(tutor)}\t${id}\t${publicId(ID_KIND.charge, tutor, id)}\t${familyId}\t${studentId}\t${sessionId}\tlesson\t${amount}\tGBP\t${date}\t${paid}\ttutor\t${formatInstant(date, '20:00')}\n`;
      }),
  },
  {
    table: 'payments',
    columns: `tutor_id, id, public_id, family_id, kind, amount, currency, method, paid_on, unallocated, created_by,
      created_at`,
    *lines(tutors) {
      for (let tutor = 0; tutor < tutors; tutor += 1) yield formatPayments(tutor);
    },
  },
  {
    table: 'allocations',
    columns: 'tutor_id, id, payment_id, charge_id, amount, created_at',
    lines: (tutors) =>
      chargesInChronologicalOrder(tutors, (tutor, { date }, { familyId, amount, isPaid }, id) =>
        isPaid
          ? `${tutorId(tutor)}\t${id}\t${paymentIdFor(familyId, date)}\t${id}\t${amount}\t${formatInstant(date, '20:00')}\n`
          : '',
      ),
  },
];
