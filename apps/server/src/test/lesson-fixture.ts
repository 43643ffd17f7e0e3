import type { LessonInput } from '@lessonbook/contract/lessons';
import { lessons } from '@lessonbook/contract/lessons';
import { type SessionRow, sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import type { Browser } from './browser-client.ts';
import { createTutor } from './create-tutor.ts';
import type { TestApp } from './test-app.ts';

export interface LessonFixture {
  browser: Browser;
  studentId: number;
  subjectId: number;
}

/** Creates a tutor with one student and one subject. */
export async function createTutorWithStudentAndSubject(
  app: TestApp,
  zone = 'Europe/London',
): Promise<LessonFixture> {
  const { browser } = await createTutor(app, { timeZone: zone });
  const student = await browser.call(students.createStudent, { body: { name: 'Maya Okafor' } });
  const subject = await browser.call(subjects.createSubject, {
    body: { name: 'Maths', defaultFee: 35, currency: 'GBP' },
  });
  return { browser, studentId: student.body.id, subjectId: subject.body.id };
}

/** The test clock starts on Monday 16 November 2026; the lesson is the next day. */
export const lessonBody = (fixture: LessonFixture, overrides: Partial<LessonInput> = {}) => ({
  studentId: fixture.studentId,
  subjectId: fixture.subjectId,
  title: 'Maya Okafor - Maths',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
  fee: 35,
  ...overrides,
});

export async function addLesson(fixture: LessonFixture, overrides: Partial<LessonInput> = {}) {
  const response = await fixture.browser.call(lessons.createLesson, {
    body: lessonBody(fixture, overrides),
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${response.error.message}`);
  return response.body as { lessonId: number; sessionId: number };
}

export const weekly = (overrides: Partial<LessonInput> = {}): Partial<LessonInput> => ({
  isRecurring: true,
  recurringPattern: 'weekly',
  recurringEndDate: '2026-12-15',
  ...overrides,
});

export async function fetchSessionsBetween(
  fixture: LessonFixture,
  from: string,
  to: string,
): Promise<SessionRow[]> {
  return (await fixture.browser.call(sessions.listSessions, { query: { from, to } })).body;
}

/** The sessions as text, such as "2026-11-17 16:00 scheduled". */
export async function fetchSessionsAsText(
  fixture: LessonFixture,
  from = '2026-11-01',
  to = '2027-01-31',
): Promise<string[]> {
  const rows = await fetchSessionsBetween(fixture, from, to);
  return rows.map((row) => `${row.date} ${row.startTime} ${row.status}`);
}
