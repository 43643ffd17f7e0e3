import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const archiveStudent = (fixture: LessonFixture, id = fixture.studentId) =>
  fixture.browser.call(students.deleteStudent, { params: { id } });
const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const complete = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body: {} });

describe('archiving a student', () => {
  test('[API-26] cancels upcoming sessions without a fee and keeps past sessions, including the student name', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const past = await addLesson(fixture, { date: '2026-11-03' });
    await complete(fixture, past.sessionId);
    const due = await addLesson(fixture, { date: '2026-11-10' });
    const { sessionId } = await addLesson(fixture, weekly());
    expect((await archiveStudent(fixture)).status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-03 16:00 completed',
      '2026-11-10 16:00 scheduled',
    ]);
    expect(await readSession(fixture, sessionId)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'tutor',
      charged: null,
      studentName: 'Maya Okafor',
    });
    expect(await readSession(fixture, past.sessionId)).toMatchObject({
      status: 'completed',
      charged: 3500,
      outstanding: 3500,
      studentName: 'Maya Okafor',
    });
    const completed = await complete(fixture, due.sessionId);
    expect(completed.body).toMatchObject({ status: 'completed', charged: 3500 });
  });

  test('[API-26] removes the lessons from the lists and prevents new lessons', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    await archiveStudent(fixture);
    expect((await fixture.browser.call(lessons.listLessons)).body).toEqual([]);
    expect((await fixture.browser.call(lessons.lesson, { params: { id: lessonId } })).status).toBe(
      404,
    );
    const rejected = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture),
    });
    expect(rejected.status).toBe(404);
    expect(rejected.error.message).toBe("We couldn't find that student.");
  });

  test('frees the time for other lessons', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    await addLesson(fixture, weekly());
    await archiveStudent(fixture);
    await addLesson(fixture, { ...weekly(), studentId: noah.id });
    expect(await fetchSessionsAsText(fixture)).toHaveLength(5);
  });

  test("does not change other students' lessons", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    await addLesson(fixture, { ...weekly(), studentId: noah.id });
    await addLesson(fixture, { date: '2026-11-20' });
    const [first] = await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-17');
    await archiveStudent(fixture);
    expect(await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-17')).toEqual([first]);
    expect(await fetchSessionsAsText(fixture)).toHaveLength(5);
  });

  /** A lesson for Maya whose session on 24 November is with Noah instead. */
  async function createSubstitution(): Promise<{
    fixture: LessonFixture;
    noahId: number;
    sessionId: number;
  }> {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    const { lessonId } = await addLesson(fixture, weekly());
    const [row] = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
    const sessionId = row?.id ?? 0;
    const saved = await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(fixture, weekly()),
        studentId: noah.id,
        date: '2026-11-24',
        scope: 'this',
        sessionId,
      },
    });
    expect(saved.status).toBe(200);
    return { fixture, noahId: noah.id, sessionId };
  }

  test("cancels the student's session in another student's lesson", async () => {
    const { fixture, noahId, sessionId } = await createSubstitution();
    await archiveStudent(fixture, noahId);
    expect(await readSession(fixture, sessionId)).toMatchObject({
      status: 'cancelled',
      studentName: 'Noah',
    });
    expect(
      (await fetchSessionsAsText(fixture)).filter((line) => line.endsWith('scheduled')),
    ).toHaveLength(4);
  });

  test("does not cancel another student's session in the archived student's lesson", async () => {
    const { fixture, sessionId } = await createSubstitution();
    await archiveStudent(fixture);
    expect(await readSession(fixture, sessionId)).toMatchObject({
      status: 'scheduled',
      studentName: 'Noah',
    });
  });

  test('still lists a session that was cancelled late with a fee', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { date: '2026-11-10' });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'carer', chargeFee: true },
    });
    await archiveStudent(fixture);
    expect(await fetchSessionsBetween(fixture, '2026-11-10', '2026-11-10')).toMatchObject([
      { id: sessionId, status: 'cancelled', outstanding: 3500 },
    ]);
  });
});

describe('archiving a subject', () => {
  test('[API-33] keeps its sessions and lessons, including the subject name', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await complete(fixture, sessionId);
    const archived = await fixture.browser.call(subjects.deleteSubject, {
      params: { id: fixture.subjectId },
    });
    expect(archived.status).toBe(200);
    const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    expect(rows.map((row) => [row.status, row.subjectName])).toEqual([
      ['completed', 'Maths'],
      ...Array.from({ length: 4 }, () => ['scheduled', 'Maths']),
    ]);
    const { body } = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(body).toMatchObject({ subjectName: 'Maths', money: [{ charged: 3500 }] });
  });

  test('prevents new lessons, but existing lessons in the subject can still be changed', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture);
    await fixture.browser.call(subjects.deleteSubject, { params: { id: fixture.subjectId } });
    const rejected = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, { date: '2026-11-20' }),
    });
    expect(rejected.status).toBe(404);
    expect(rejected.error.message).toBe("We couldn't find that subject.");
    const change = (subjectId: number) =>
      fixture.browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(fixture, { subjectId, fee: 40 }), scope: 'this', sessionId },
      });
    expect((await change(fixture.subjectId)).status).toBe(200);
    expect(await readSession(fixture, sessionId)).toMatchObject({
      fee: 4000,
      subjectName: 'Maths',
    });
    const art = await createSubject(fixture.browser, { name: 'Art' });
    expect((await change(art.id)).status).toBe(200);
    expect((await change(fixture.subjectId)).status).toBe(404);
  });
});
