import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
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

const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const listSessionIds = async (fixture: LessonFixture) =>
  (await fetchSessionsBetween(fixture, '2026-11-01', '2027-01-31')).map((row) => row.id);

describe('the notes of a session', () => {
  const saveNotes = (fixture: LessonFixture, id: number, notes: string) =>
    fixture.browser.call(sessions.updateSessionNotes, { params: { id }, body: { notes } });

  test("F108 are saved whatever the session's status, and replace the lesson's notes even if they are empty", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ notes: 'Bring the workbook' }));
    const [first = 0, second = 0] = await listSessionIds(fixture);
    await fixture.browser.call(sessions.completeSession, { params: { id: first }, body: {} });
    expect((await saveNotes(fixture, first, 'Fractions done')).body).toMatchObject({
      status: 'completed',
      notes: 'Fractions done',
    });
    expect((await readSession(fixture, second)).notes).toBe('Bring the workbook');
    expect((await saveNotes(fixture, second, '')).body.notes).toBeNull();
    expect((await saveNotes(fixture, first, 'x'.repeat(4001))).status).toBe(400);
  });

  test('F108 do not count as an individual edit, so changes to the series still apply', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    const [first = 0, second = 0] = await listSessionIds(fixture);
    await saveNotes(fixture, second, 'Mock exam');
    await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(fixture, weekly({ place: 'Library' })),
        scope: 'all',
        sessionId: first,
      },
    });
    expect(await readSession(fixture, second)).toMatchObject({
      place: 'Library',
      notes: 'Mock exam',
    });
  });

  test('F108 are shown with the next session', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ notes: 'Bring the workbook' }));
    const [first = 0, second = 0, third = 0] = await listSessionIds(fixture);
    expect((await readSession(fixture, second)).previousNotes).toBeNull();
    await saveNotes(fixture, first, 'Fractions');
    expect((await readSession(fixture, third)).previousNotes).toMatchObject({
      id: first,
      notes: 'Fractions',
    });
    await saveNotes(fixture, second, 'Decimals');
    expect((await readSession(fixture, third)).previousNotes?.notes).toBe('Decimals');
    expect((await readSession(fixture, first)).previousNotes).toBeNull();
  });
});

test('F108 the students of a session are returned with their contacts', async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { sessionId } = await addLesson(fixture);
  const { body } = await fixture.browser.call(sessions.sessionStudents, {
    params: { id: sessionId },
  });
  expect(body.map(({ id }) => id)).toEqual([fixture.studentId]);
  expect(body[0]?.contacts.length).toBeGreaterThan(0);
});
