import { createHash } from 'node:crypto';
import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import {
  CONTACT_COUNT,
  carerIdFor,
  chargesFor,
  dateInWeek,
  FEE,
  formatEndTime,
  formatStartTime,
  GENERATED_UNTIL,
  LESSONS,
  loginToken,
  minuteOf,
  NOW,
  payersOf,
  paymentIdFor,
  SESSIONS,
  STUDENT_COUNT,
  SUBJECT_COUNT,
  TIME_ZONE,
  TODAY,
  tutorId,
} from './generated-tutor-data.ts';
import { publicId } from './random.ts';
import {
  ID_KIND,
  lessonTitle,
  SQL_NULL,
  STUDENT_NAMES,
  SUBJECT_NAMES,
  type TableRows,
} from './shared-row-values.ts';

const CREATED_AT = '2021-11-15 09:00:00+00';
const AFTER_ANY_RUN = '2027-05-01 12:00:00+00';

const CARER_NAMES = [
  'Ngozi Okafor',
  'Sam Whitfield',
  'Priya Raman',
  'Tom Hargreaves',
  'Uche Okafor',
];
const SUBJECT_COLORS = ['pine', 'sky', 'plum'];

const formatLine = (...fields: readonly (string | number)[]): string => `${fields.join('\t')}\n`;

const forEachTutor = (rows: (tutor: number, id: string) => string) =>
  function* (tutors: number): Generator<string> {
    for (let tutor = 0; tutor < tutors; tutor += 1) yield rows(tutor, tutorId(tutor));
  };

const repeatRows = (count: number, row: (id: number) => string): string => {
  let text = '';
  for (let id = 1; id <= count; id += 1) text += row(id);
  return text;
};

const countCharges = (tutor: number): number =>
  SESSIONS.reduce((sum, session) => sum + chargesFor(tutor, session).length, 0);

/** Tables with a few rows per tutor. */
export const SMALL_TABLES: readonly TableRows[] = [
  {
    table: 'tutors',
    columns: 'tutor_id, public_id, name, time_zone, trial_ends_at, created_at',
    lines: forEachTutor((tutor, id) =>
      formatLine(
        id,
        publicId(ID_KIND.tutor, tutor, 0),
        `Tutor ${tutor}`,
        TIME_ZONE,
        CREATED_AT,
        CREATED_AT,
      ),
    ),
  },
  {
    table: 'login_directory',
    columns: 'tutor_id, username, username_key, email, email_key',
    lines: forEachTutor((tutor, id) =>
      formatLine(
        id,
        `tutor${tutor}`,
        `tutor${tutor}`,
        `t${tutor}@example.com`,
        `t${tutor}@example.com`,
      ),
    ),
  },
  {
    // Two logins per tutor: one with the browser's token, one with a number that pgbench can compute.
    table: 'logins',
    columns:
      'token_hash, tutor_id, public_id, user_agent, created_at, reauthenticated_at, last_seen_at, expires_at',
    lines: forEachTutor((tutor, id) =>
      [createHash('sha256').update(loginToken(tutor)).digest(), Buffer.from(String(tutor))]
        .map((hash, index) =>
          formatLine(
            `\\\\x${hash.toString('hex')}`,
            id,
            publicId(ID_KIND.login, tutor, index),
            'bench',
            NOW,
            NOW,
            // Later than any run, so that no request updates last_seen_at.
            AFTER_ANY_RUN,
            AFTER_ANY_RUN,
          ),
        )
        .join(''),
    ),
  },
  {
    table: 'tenant_schedule',
    columns: 'tutor_id, kind, next_due_at',
    lines: forEachTutor((_, id) => formatLine(id, 'generate-sessions', AFTER_ANY_RUN)),
  },
  {
    table: 'subjects',
    columns: 'tutor_id, id, name, default_fee, currency, color, created_at',
    lines: forEachTutor((_, id) =>
      repeatRows(SUBJECT_COUNT, (row) =>
        formatLine(
          id,
          row,
          SUBJECT_NAMES[row - 1] ?? '',
          FEE,
          'GBP',
          SUBJECT_COLORS[row - 1] ?? '',
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'contacts',
    columns: 'tutor_id, id, public_id, name, email, created_at',
    lines: forEachTutor((tutor, id) =>
      repeatRows(CONTACT_COUNT, (row) =>
        formatLine(
          id,
          row,
          publicId(ID_KIND.carer, tutor, row),
          CARER_NAMES[row - 1] ?? '',
          `c${row}@example.com`,
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'students',
    columns: 'tutor_id, id, public_id, name, contact_id, created_at',
    lines: forEachTutor((tutor, id) =>
      repeatRows(STUDENT_COUNT, (row) =>
        formatLine(
          id,
          row,
          publicId(ID_KIND.student, tutor, row),
          STUDENT_NAMES[row - 1] ?? '',
          carerIdFor(row),
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'contact_access',
    columns:
      'tutor_id, contact_id, student_id, sees_lessons, sees_place, sees_notes, sees_money, may_cancel, may_ask',
    lines: forEachTutor((_, id) =>
      repeatRows(STUDENT_COUNT, (row) =>
        // The family's id is the id of its contact.
        payersOf(row)
          .map(({ familyId }) => {
            const isMain = familyId === carerIdFor(row) ? 't' : 'f';
            return formatLine(id, familyId, row, isMain, isMain, isMain, 't', isMain, isMain);
          })
          .join(''),
      ),
    ),
  },
  {
    table: 'families',
    columns: 'tutor_id, id, public_id, contact_id, payment_reference, created_at',
    lines: forEachTutor((tutor, id) =>
      repeatRows(CONTACT_COUNT, (row) =>
        formatLine(id, row, publicId(ID_KIND.family, tutor, row), row, `FAMILY${row}`, CREATED_AT),
      ),
    ),
  },
  {
    table: 'shared_links',
    columns: 'public_id, tutor_id, kind, target_id, created_at',
    lines: forEachTutor((tutor, id) =>
      repeatRows(CONTACT_COUNT, (row) =>
        formatLine(
          publicId(ID_KIND.family, tutor, row).slice(0, 16),
          id,
          'balance',
          row,
          CREATED_AT,
        ),
      ),
    ),
  },
  {
    table: 'student_payers',
    columns: 'tutor_id, student_id, family_id, percent, position, from_date',
    lines: forEachTutor((_, id) =>
      repeatRows(STUDENT_COUNT, (row) =>
        payersOf(row)
          .map(({ familyId, percent }, position) =>
            formatLine(id, row, familyId, percent, position, EARLIEST_DATE),
          )
          .join(''),
      ),
    ),
  },
  {
    table: 'lessons',
    columns: `tutor_id, id, subject_id, title, first_date, start_time, end_time, fee, currency, is_recurring,
      pattern, recurrence_start, end_date, generated_until, created_at`,
    lines: forEachTutor((tutor, id) => {
      const minute = minuteOf(tutor);
      return LESSONS.map((lesson) => {
        const first = dateInWeek(lesson.firstWeek, lesson.weekday);
        const last = dateInWeek(lesson.firstWeek + lesson.weeks - 1, lesson.weekday);
        return formatLine(
          id,
          lesson.id,
          lesson.subjectId,
          lessonTitle(lesson),
          first,
          formatStartTime(lesson, minute),
          formatEndTime(lesson, minute),
          FEE,
          'GBP',
          'true',
          'weekly',
          first,
          lesson.isOngoing ? SQL_NULL : last,
          lesson.isOngoing ? GENERATED_UNTIL : last,
          CREATED_AT,
        );
      }).join('');
    }),
  },
  {
    table: 'lesson_students',
    columns: 'tutor_id, lesson_id, student_id, position, from_date',
    lines: forEachTutor((_, id) =>
      LESSONS.flatMap((lesson) =>
        lesson.studentIds.map((studentId, position) =>
          formatLine(id, lesson.id, studentId, position, EARLIEST_DATE),
        ),
      ).join(''),
    ),
  },
  {
    table: 'id_sequences',
    columns: 'tutor_id, kind, last_id',
    lines: forEachTutor((tutor, id) =>
      [
        formatLine(id, 'subject', SUBJECT_COUNT),
        formatLine(id, 'contact', CONTACT_COUNT),
        formatLine(id, 'student', STUDENT_COUNT),
        formatLine(id, 'lesson', LESSONS.length),
        formatLine(id, 'session', SESSIONS.length),
        formatLine(id, 'family', CONTACT_COUNT),
        formatLine(id, 'charge', countCharges(tutor)),
        formatLine(id, 'allocation', countCharges(tutor)),
        formatLine(id, 'payment', paymentIdFor(CONTACT_COUNT, TODAY)),
      ].join(''),
    ),
  },
];
