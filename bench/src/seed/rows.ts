import { createHash } from 'node:crypto';
import { hashNumbers, publicId } from './random.ts';
import {
  CARERS,
  dateInWeek,
  endTime,
  FEE,
  HORIZON,
  instant,
  isUnpaid,
  LESSONS,
  loginToken,
  minuteOf,
  NOW,
  type PlannedSession,
  SESSIONS,
  STUDENTS,
  SUBJECTS,
  startTime,
  statusOf,
  TIME_ZONE,
  tutorId,
} from './tutor-data.ts';

/** One table's rows in PostgreSQL's text format for COPY. */
export interface TableRows {
  table: string;
  columns: string;
  lines: (tutors: number) => Generator<string>;
}

const SQL_NULL = '\\N';
const CREATED_AT = '2021-11-15 09:00:00+00';
const LONG_AFTER = '2027-05-01 12:00:00+00';

const [TUTOR, CARER, STUDENT, SESSION, FAMILY, CHARGE, LOGIN] = [11, 12, 13, 14, 15, 16, 17];
const ATTENDANCE = 21;
const CANCELLER = 22;

const CARER_NAMES = ['Ngozi Okafor', 'Sam Whitfield', 'Priya Raman', 'Tom Hargreaves'];
const STUDENT_NAMES = [
  'Maya Okafor',
  'Leo Whitfield',
  'Anika Raman',
  'Isla Hargreaves',
  'Tobi Okafor',
  'Freya Whitfield',
  'Dev Raman',
  'Oscar Hargreaves',
];
const SUBJECT_NAMES = ['Maths', 'Physics', 'English'];
const SUBJECT_COLORS = ['pine', 'sky', 'plum'];

const line = (...fields: readonly (string | number)[]): string => `${fields.join('\t')}\n`;

const carerOf = (studentId: number): number => ((studentId - 1) % CARERS) + 1;
const titleOf = (lesson: { studentId: number; subjectId: number }): string =>
  `${STUDENT_NAMES[lesson.studentId - 1] ?? ''} - ${SUBJECT_NAMES[lesson.subjectId - 1] ?? ''}`;

/** For tables with a few rows for each tutor. */
const forEachTutor = (rows: (tutor: number, id: string) => string) =>
  function* (tutors: number): Generator<string> {
    for (let tutor = 0; tutor < tutors; tutor += 1) yield rows(tutor, tutorId(tutor));
  };

const upTo = (count: number, row: (id: number) => string): string => {
  let text = '';
  for (let id = 1; id <= count; id += 1) text += row(id);
  return text;
};

export const SMALL_TABLES: readonly TableRows[] = [
  {
    table: 'tutors',
    columns: 'tutor_id, public_id, name, time_zone, trial_ends_at, created_at',
    lines: forEachTutor((tutor, id) =>
      line(id, publicId(TUTOR, tutor, 0), `Tutor ${tutor}`, TIME_ZONE, CREATED_AT, CREATED_AT),
    ),
  },
  {
    table: 'login_directory',
    columns: 'tutor_id, username, username_key, email, email_key',
    lines: forEachTutor((tutor, id) =>
      line(id, `tutor${tutor}`, `tutor${tutor}`, `t${tutor}@example.com`, `t${tutor}@example.com`),
    ),
  },
  {
    // Two logins each: the token that a browser sends, and the number that pgbench can count up to.
    table: 'logins',
    columns:
      'token_hash, tutor_id, public_id, user_agent, created_at, reauthenticated_at, last_seen_at, expires_at',
    lines: forEachTutor((tutor, id) =>
      [createHash('sha256').update(loginToken(tutor)).digest(), Buffer.from(String(tutor))]
        .map((hash, index) =>
          line(
            `\\\\x${hash.toString('hex')}`,
            id,
            publicId(LOGIN, tutor, index),
            'bench',
            NOW,
            NOW,
            // Later than any run, so that no request has to note that it was seen.
            LONG_AFTER,
            LONG_AFTER,
          ),
        )
        .join(''),
    ),
  },
  {
    table: 'tenant_schedule',
    columns: 'tutor_id, kind, next_due_at',
    lines: forEachTutor((_, id) => line(id, 'generate-sessions', LONG_AFTER)),
  },
  {
    table: 'subjects',
    columns: 'tutor_id, id, name, default_fee, currency, color, created_at',
    lines: forEachTutor((_, id) =>
      upTo(SUBJECTS, (n) =>
        line(
          id,
          n,
          SUBJECT_NAMES[n - 1] ?? '',
          FEE,
          'GBP',
          SUBJECT_COLORS[n - 1] ?? '',
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'carers',
    columns: 'tutor_id, id, public_id, name, email, created_at',
    lines: forEachTutor((tutor, id) =>
      upTo(CARERS, (n) =>
        line(
          id,
          n,
          publicId(CARER, tutor, n),
          CARER_NAMES[n - 1] ?? '',
          `c${n}@example.com`,
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'students',
    columns: 'tutor_id, id, public_id, name, carer_id, created_at',
    lines: forEachTutor((tutor, id) =>
      upTo(STUDENTS, (n) =>
        line(
          id,
          n,
          publicId(STUDENT, tutor, n),
          STUDENT_NAMES[n - 1] ?? '',
          carerOf(n),
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'families',
    columns: 'tutor_id, id, public_id, carer_id, payment_reference, pay_token, created_at',
    lines: forEachTutor((tutor, id) =>
      upTo(CARERS, (n) =>
        line(
          id,
          n,
          publicId(FAMILY, tutor, n),
          n,
          `FAMILY${n}`,
          `b_${publicId(FAMILY, tutor, n)}`,
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'lessons',
    columns: `tutor_id, id, student_id, subject_id, title, first_date, start_time, end_time, fee, currency, is_recurring,
      pattern, recurrence_start, end_date, generated_until, created_at`,
    lines: forEachTutor((tutor, id) => {
      const minute = minuteOf(tutor);
      return LESSONS.map((lesson) => {
        const first = dateInWeek(lesson.firstWeek, lesson.weekday);
        const last = dateInWeek(lesson.firstWeek + lesson.weeks - 1, lesson.weekday);
        return line(
          id,
          lesson.id,
          lesson.studentId,
          lesson.subjectId,
          titleOf(lesson),
          first,
          startTime(lesson, minute),
          endTime(lesson, minute),
          FEE,
          'GBP',
          'true',
          'weekly',
          first,
          lesson.isOngoing ? SQL_NULL : last,
          lesson.isOngoing ? HORIZON : last,
          CREATED_AT,
        );
      }).join('');
    }),
  },
  {
    table: 'id_sequences',
    columns: 'tutor_id, kind, last_id',
    lines: forEachTutor((tutor, id) =>
      [
        line(id, 'subject', SUBJECTS),
        line(id, 'carer', CARERS),
        line(id, 'student', STUDENTS),
        line(id, 'lesson', LESSONS.length),
        line(id, 'session', SESSIONS.length),
        line(id, 'family', CARERS),
        line(id, 'charge', SESSIONS.filter((one) => statusOf(tutor, one) === 'completed').length),
      ].join(''),
    ),
  },
];

/** Week by week and in a week tutor by tutor: how the horizon job lays sessions down, year in, year out. */
function* chronologically(
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

/** The part of a session's line that all tutors share who start at the same minute of the hour. */
const sharedParts = new Map<number, string[]>();
function sharedPart(minute: number, session: PlannedSession): string {
  let parts = sharedParts.get(minute);
  if (!parts) {
    parts = SESSIONS.map(({ lesson, date }) => {
      const [start, end] = [startTime(lesson, minute), endTime(lesson, minute)];
      return [
        lesson.id,
        lesson.studentId,
        lesson.subjectId,
        titleOf(lesson),
        date,
        date,
        date,
        start,
        end,
        instant(date, start),
        instant(date, end),
        FEE,
        'GBP',
        instant(date, start),
      ].join('\t');
    });
    sharedParts.set(minute, parts);
  }
  return parts[session.id - 1] ?? '';
}

function sessionLine(tutor: number, session: PlannedSession): string {
  const status = statusOf(tutor, session);
  const key = `${tutorId(tutor)}\t${session.id}\t${publicId(SESSION, tutor, session.id)}`;
  return `${key}\t${sharedPart(minuteOf(tutor), session)}\t${status}\t${attendance(status, tutor, session.id)}\t${canceller(status, tutor, session.id)}\n`;
}

function attendance(status: string, tutor: number, id: number): string {
  if (status !== 'completed') return SQL_NULL;
  const draw = hashNumbers(ATTENDANCE, tutor, id) % 100;
  if (draw < 5) return 'late';
  return draw < 8 ? 'absent' : 'attended';
}

const canceller = (status: string, tutor: number, id: number): string =>
  status === 'cancelled'
    ? (['tutor', 'student', 'carer'][hashNumbers(CANCELLER, tutor, id) % 3] ?? SQL_NULL)
    : SQL_NULL;

export const LARGE_TABLES: readonly TableRows[] = [
  {
    table: 'sessions',
    columns: `tutor_id, id, public_id, lesson_id, student_id, subject_id, title, occurrence_date, series_date, date, start_time,
      end_time, starts_at, ends_at, fee, currency, created_at, status, attendance, cancelled_by`,
    lines: (tutors) => chronologically(tutors, sessionLine),
  },
  {
    table: 'charges',
    columns: `tutor_id, id, public_id, family_id, student_id, session_id, kind, amount, currency, due_date, outstanding,
      created_by, created_at`,
    lines: (tutors) => {
      const lastIds = new Int32Array(tutors);
      return chronologically(tutors, (tutor, session) => {
        if (statusOf(tutor, session) !== 'completed') return '';
        const id = (lastIds[tutor] ?? 0) + 1;
        lastIds[tutor] = id;
        const { lesson, date } = session;
        const owed = isUnpaid(tutor, session) ? FEE : 0;
        return `${tutorId(tutor)}\t${id}\t${publicId(CHARGE, tutor, id)}\t${carerOf(lesson.studentId)}\t${lesson.studentId}\t${session.id}\tlesson\t${FEE}\tGBP\t${date}\t${owed}\ttutor\t${instant(date, '20:00')}\n`;
      });
    },
  },
];
