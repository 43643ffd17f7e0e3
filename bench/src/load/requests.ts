import { dashboard } from '@lessonbook/contract/dashboard';
import { addDaysToDate, addMonthsToDate, startOfWeek } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { loginToken, TODAY } from '../seed/generated-tutor-data.ts';

/** The screens with a performance goal. */
export const READS = ['dashboard', 'month', 'day'] as const;
export type Read = (typeof READS)[number];

const GRID_DAYS = 42;

/** A random month from a year ago to half a year ahead, or a random day at most 30 days from today. */
export function randomPath(read: Read, random: () => number): string {
  switch (read) {
    case 'dashboard':
      return dashboard.dashboard.path;
    case 'month': {
      const first = `${addMonthsToDate(TODAY, Math.floor(random() * 19) - 12).slice(0, 7)}-01`;
      const from = startOfWeek(first);
      return `${sessions.listSessions.path}?from=${from}&to=${addDaysToDate(from, GRID_DAYS - 1)}`;
    }
    case 'day':
      return sessions.sessionsByDate.path.replace(
        ':date',
        addDaysToDate(TODAY, Math.floor(random() * 61) - 30),
      );
    default:
      return read satisfies never;
  }
}

export function buildGetRequest(origin: string, tutor: number, path: string): string {
  return `GET ${path} HTTP/1.1\r\n${commonHeaders(origin, tutor)}\r\n`;
}

const commonHeaders = (origin: string, tutor: number): string =>
  `host: ${new URL(origin).host}\r\ncookie: lessonbook=${loginToken(tutor)}\r\naccept: application/json\r\n`;

/** Seeded lessons leave weekends free. Lessons created over HTTP are on Saturdays, one minute long and back to back. */
export const SATURDAY = addDaysToDate(TODAY, 5);
export const SUNDAY = addDaysToDate(TODAY, 6);
export const ONE_MINUTE_SLOTS_PER_DAY = 24 * 60 - 1;

export function buildCreateLessonBody(date: string, minute: number) {
  if (minute >= ONE_MINUTE_SLOTS_PER_DAY) {
    throw new Error("A tutor's weekend is full: use more --sessions or fewer --seconds");
  }
  return {
    studentId: 1,
    subjectId: 1,
    title: 'Maya Okafor - Maths',
    date,
    startTime: formatTime(minute),
    endTime: formatTime(minute + 1),
    fee: 35,
    isRecurring: true,
    recurringPattern: 'weekly',
  };
}

const formatTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

export function buildCreateLessonRequest(
  origin: string,
  tutor: number,
  body: object,
  key: string,
): string {
  const text = JSON.stringify(body);
  return (
    `POST ${lessons.createLesson.path} HTTP/1.1\r\n${commonHeaders(origin, tutor)}origin: ${origin}\r\n` +
    `idempotency-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

/** Selects the tutors used in a run, spread evenly over all tutors. */
export function sampleTutors(tutors: number, limit: number): { size: number; step: number } {
  const size = Math.min(tutors, limit);
  return { size, step: Math.floor(tutors / size) };
}
