import {
  addDaysToDate,
  addMonthsToDate,
  dateFromDayNumber,
  dayNumber,
} from '@lessonbook/contract/dates';
import { hashNumbers } from './random.ts';

/**
 * Data for generated tutors. All have the same shape: 15 lessons and 1,000 sessions, from five years ago to a year ahead.
 * Two of the ongoing lessons are groups, and one student has two payers. Attendance, cancellations and unpaid charges
 * differ between tutors and are derived from the tutor's number.
 */

/** A Monday at noon. The API's clock starts here, so that a seeded database never goes out of date. */
export const NOW = '2026-11-16T12:00:00.000Z';
export const TODAY = NOW.slice(0, 10);
export const TIME_ZONE = 'Europe/London';
export const GENERATED_UNTIL = addMonthsToDate(TODAY, 12);
export const FEE = 3500;
export const SESSIONS_PER_TUTOR = 1000;
export const STUDENT_COUNT = 8;
export const CARER_COUNT = 4;
/** The carers and a contact who pays part of the charges for the first student. Each has a family with the same id. */
export const CONTACT_COUNT = CARER_COUNT + 1;
export const SUBJECT_COUNT = 3;

export interface PlannedLesson {
  id: number;
  studentIds: readonly number[];
  subjectId: number;
  /** 0 is Monday. */
  weekday: number;
  hour: number;
  /** Relative to the current week, which is 0. */
  firstWeek: number;
  weeks: number;
  isOngoing: boolean;
}

export interface PlannedSession {
  id: number;
  lesson: PlannedLesson;
  week: number;
  date: string;
  /** Number of past sessions after this one; only meaningful if `isPast`. */
  laterPastSessions: number;
  isPast: boolean;
}

const ENDED_LESSONS = 7;
const ONGOING_LESSONS = 8;
/** Number of students in each group lesson, by lesson id. */
const GROUP_SIZES: Readonly<Record<number, number>> = { 8: 3, 9: 6 };

export const LESSONS: readonly PlannedLesson[] = Array.from(
  { length: ENDED_LESSONS + ONGOING_LESSONS },
  (_, index) => ({
    id: index + 1,
    studentIds: Array.from(
      { length: GROUP_SIZES[index + 1] ?? 1 },
      (_seat, position) => ((index + position) % STUDENT_COUNT) + 1,
    ),
    subjectId: (index % SUBJECT_COUNT) + 1,
    // Each lesson has its own weekday and hour, so that nothing overlaps.
    weekday: index % 5,
    hour: 14 + Math.floor(index / 5),
    isOngoing: index >= ENDED_LESSONS,
    firstWeek: index < ENDED_LESSONS ? -260 + 30 * index : -26,
    weeks: index < ENDED_LESSONS - 1 ? 54 : index < ENDED_LESSONS ? 52 : 78,
  }),
);

export const dateInWeek = (week: number, weekday: number): string =>
  addDaysToDate(TODAY, 7 * week + weekday);

/** In chronological order, which is also the order of their ids. */
export const SESSIONS: readonly PlannedSession[] = planSessions();

function planSessions(): PlannedSession[] {
  const all = LESSONS.flatMap((lesson) =>
    Array.from({ length: lesson.weeks }, (_, index) => {
      const week = lesson.firstWeek + index;
      return { lesson, week, date: dateInWeek(week, lesson.weekday) };
    }),
  ).toSorted((a, b) => a.date.localeCompare(b.date) || a.lesson.hour - b.lesson.hour);
  const past = all.filter(({ date }) => date < TODAY).length;
  return all.map((session, index) => ({
    ...session,
    id: index + 1,
    isPast: index < past,
    laterPastSessions: past - 1 - index,
  }));
}

export type Status = 'scheduled' | 'completed' | 'cancelled';

const STATUS_SALT = 1;
const INCOMPLETE_SALT = 2;
const UNPAID_SALT = 3;
const MINUTE_SALT = 4;
const ID_SALT = 5;

/** A tutor's most recent past sessions are not completed yet; one in fourteen of the earlier ones is cancelled. */
export function statusOf(tutor: number, session: PlannedSession): Status {
  if (!session.isPast || session.laterPastSessions < countIncomplete(tutor)) return 'scheduled';
  return hashNumbers(STATUS_SALT, tutor, session.id) % 100 < 7 ? 'cancelled' : 'completed';
}

export const countIncomplete = (tutor: number): number =>
  1 + (hashNumbers(INCOMPLETE_SALT, tutor) % 7);

export const carerIdFor = (studentId: number): number => ((studentId - 1) % CARER_COUNT) + 1;

/** The first student has two payers. */
export const payersOf = (studentId: number): readonly { familyId: number; percent: number }[] =>
  studentId === 1
    ? [
        { familyId: carerIdFor(studentId), percent: 60 },
        { familyId: CONTACT_COUNT, percent: 40 },
      ]
    : [{ familyId: carerIdFor(studentId), percent: 100 }];

export interface PlannedCharge {
  studentId: number;
  familyId: number;
  amount: number;
  isPaid: boolean;
}

/** A completed session has a charge for each student and payer. One charge in twenty is unpaid. */
export function chargesFor(tutor: number, session: PlannedSession): PlannedCharge[] {
  if (statusOf(tutor, session) !== 'completed') return [];
  return session.lesson.studentIds.flatMap((studentId) =>
    payersOf(studentId).map(({ familyId, percent }) => ({
      studentId,
      familyId,
      amount: (FEE * percent) / 100,
      isPaid: hashNumbers(UNPAID_SALT, tutor, session.id, studentId, familyId) % 100 >= 5,
    })),
  );
}

const FIRST_MONTH = monthNumber(SESSIONS[0]?.date ?? TODAY);

/** A family pays once a month. The id is calculated, so that charges and payments can be generated independently. */
export const paymentIdFor = (familyId: number, date: string): number =>
  (monthNumber(date) - FIRST_MONTH) * CONTACT_COUNT + familyId;

function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
}

/** The minute past the hour at which all of a tutor's lessons start. */
export const minuteOf = (tutor: number): number => 15 * (hashNumbers(MINUTE_SALT, tutor) % 4);

const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const formatStartTime = (lesson: PlannedLesson, minute: number): string =>
  `${twoDigits(lesson.hour)}:${twoDigits(minute)}`;
export const formatEndTime = (lesson: PlannedLesson, minute: number): string =>
  `${twoDigits(lesson.hour + 1)}:${twoDigits(minute)}`;

/** London time with its UTC offset. Correct only for afternoons, because the clocks change at night. */
export function formatInstant(date: string, time: string): string {
  return `${date} ${time}:00${isSummer(date) ? '+01' : '+00'}`;
}

function isSummer(date: string): boolean {
  const year = date.slice(0, 4);
  return date >= lastSunday(`${year}-03-31`) && date < lastSunday(`${year}-10-31`);
}

function lastSunday(endOfMonth: string): string {
  const day = dayNumber(endOfMonth);
  return dateFromDayNumber(day - ((day + 4) % 7));
}

const FIRST_SIGN_UP_MS = Date.UTC(2021, 10, 15, 9);
const SIGN_UP_INTERVAL_MS = 2 * 3_600_000;

/**
 * A UUIDv7 like those the server generates: the sign-up time first, then random bits. The random bits matter: btree_gist
 * compares ids as floating-point numbers and cannot distinguish ids that differ only at the end.
 */
export function tutorId(tutor: number): string {
  const time = toHex(FIRST_SIGN_UP_MS + tutor * SIGN_UP_INTERVAL_MS, 12);
  const [a, b, c] = [
    hashNumbers(ID_SALT, tutor, 1),
    hashNumbers(ID_SALT, tutor, 2),
    hashNumbers(ID_SALT, tutor, 3),
  ];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${toHex(a & 0xfff, 3)}-8${toHex(b & 0xfff, 3)}-${toHex(c, 8)}${toHex(a >>> 16, 4)}`;
}

const toHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** The value of the tutor's login cookie. */
export const loginToken = (tutor: number): string => `bench-login-${tutor}`;
