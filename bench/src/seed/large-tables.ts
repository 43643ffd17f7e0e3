import {
  FEE,
  formatEndTime,
  formatInstant,
  formatStartTime,
  isUnpaid,
  minuteOf,
  type PlannedSession,
  SESSIONS,
  statusOf,
  tutorId,
} from './lesson-and-session-plan.ts';
import { hashNumbers, publicId } from './random.ts';
import { carerIdFor, ID_KIND, lessonTitle, SQL_NULL, type TableRows } from './shared-row-values.ts';

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

/** The part of a session's COPY line that is the same for all tutors with the same start minute. */
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

function pickAttendance(status: string, tutor: number, id: number): string {
  if (status !== 'completed') return SQL_NULL;
  const draw = hashNumbers(ATTENDANCE_SALT, tutor, id) % 100;
  if (draw < 5) return 'late';
  return draw < 8 ? 'absent' : 'attended';
}

const pickCanceller = (status: string, tutor: number, id: number): string =>
  status === 'cancelled'
    ? (['tutor', 'student', 'carer'][hashNumbers(CANCELLER_SALT, tutor, id) % 3] ?? SQL_NULL)
    : SQL_NULL;

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
    columns: 'tutor_id, session_id, student_id, position, fee, currency, fee_source, attendance',
    lines: (tutors) =>
      rowsInChronologicalOrder(tutors, (tutor, session) => {
        const attendance = pickAttendance(statusOf(tutor, session), tutor, session.id);
        return `${tutorId(tutor)}\t${session.id}\t${session.lesson.studentId}\t0\t${FEE}\tGBP\tlesson\t${attendance}\n`;
      }),
  },
  {
    table: 'charges',
    columns: `tutor_id, id, public_id, family_id, student_id, session_id, kind, amount, currency, due_date, outstanding,
      created_by, created_at`,
    lines: (tutors) => {
      const lastIds = new Int32Array(tutors);
      return rowsInChronologicalOrder(tutors, (tutor, session) => {
        if (statusOf(tutor, session) !== 'completed') return '';
        const id = (lastIds[tutor] ?? 0) + 1;
        lastIds[tutor] = id;
        const { lesson, date } = session;
        const outstanding = isUnpaid(tutor, session) ? FEE : 0;
        return `${tutorId(tutor)}\t${id}\t${publicId(ID_KIND.charge, tutor, id)}\t${carerIdFor(lesson.studentId)}\t${lesson.studentId}\t${session.id}\tlesson\t${FEE}\tGBP\t${date}\t${outstanding}\ttutor\t${formatInstant(date, '20:00')}\n`;
      });
    },
  },
];
