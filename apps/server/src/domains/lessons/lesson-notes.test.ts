import { audit } from '@lessonbook/contract/audit';
import { lessonNotes, type SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
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

const TEXT = { did: 'Fractions', nextTime: 'Decimals', homework: 'Exercise 9B' };

/** Maya has weekly lessons from 17 November to 15 December. */
async function createWeeklyLessons() {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { lessonId } = await addLesson(fixture, weekly());
  const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
  return { fixture, lessonId, ids: rows.map(({ id }) => id) as [number, number, number] };
}

const save = (fixture: LessonFixture, id: number, body: Partial<SaveNoteInput>) =>
  fixture.browser.call(lessonNotes.saveNote, {
    params: { id, studentId: fixture.studentId },
    body,
  });
const withdraw = ({ browser, studentId }: LessonFixture, id: number) =>
  browser.call(lessonNotes.withdrawNote, { params: { id, studentId } });
const readSeat = async ({ browser }: LessonFixture, id: number) => {
  const { body } = await browser.call(lessonNotes.sessionNotes, { params: { id } });
  return body.students[0];
};
const readVersions = async ({ browser, studentId }: LessonFixture, id: number) => {
  const { body } = await browser.call(lessonNotes.noteVersions, { params: { id, studentId } });
  return body;
};
const listNotes = async ({ browser, studentId }: LessonFixture, query = {}) =>
  (await browser.call(lessonNotes.studentNotes, { params: { id: studentId }, query })).body;

describe('the note for a family', () => {
  test('is a draft until it is shared, and homework is due by the next lesson', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    const { status, body } = await save(fixture, ids[0], TEXT);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isPortalOpen: false,
      students: [
        {
          studentName: 'Maya Okafor',
          nextLessonOn: '2026-11-24',
          readers: ['Maya'],
          previous: null,
          note: {
            date: '2026-11-17',
            subjectName: 'Maths',
            draft: { ...TEXT, dueOn: '2026-11-24' },
            shared: null,
            homeworkDone: null,
          },
        },
      ],
    });
    await save(fixture, ids[0], { ...TEXT, dueOn: null, share: true });
    const seat = await readSeat(fixture, ids[0]);
    expect(seat?.note).toMatchObject({
      draft: null,
      shared: {
        ...TEXT,
        dueOn: null,
        version: 1,
        sharedAt: '2026-11-16T12:00:00.000Z',
        withdrawnAt: null,
      },
    });
  });

  test('changes only through new versions once it is shared, and earlier versions stay readable', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    await save(fixture, ids[0], { did: 'Fractoins', share: true });
    await save(fixture, ids[0], { did: 'Fractions' });
    expect((await readSeat(fixture, ids[0]))?.note).toMatchObject({
      draft: { did: 'Fractions' },
      shared: { did: 'Fractoins', version: 1 },
    });
    await save(fixture, ids[0], { did: 'Fractions', share: true });
    // The same request again, for example after its response was lost.
    await save(fixture, ids[0], { did: 'Fractions', share: true });
    expect((await readVersions(fixture, ids[0])).map(({ version, did }) => [version, did])).toEqual(
      [
        [2, 'Fractions'],
        [1, 'Fractoins'],
      ],
    );
  });

  test('is withdrawn once even if this is requested twice, and can be shared again as a new version', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    expect((await withdraw(fixture, ids[0])).status).toBe(404);
    await save(fixture, ids[0], { ...TEXT, share: true });
    expect((await withdraw(fixture, ids[0])).status).toBe(200);
    const { withdrawnAt } = (await readSeat(fixture, ids[0]))?.note?.shared ?? {};
    expect(withdrawnAt).toBe('2026-11-16T12:00:00.000Z');
    expect((await withdraw(fixture, ids[0])).status).toBe(200);
    const { body } = await fixture.browser.call(audit.listAuditEntries);
    const withdrawals = body.entries.filter(({ action }) => action === 'note_withdrawn');
    expect(withdrawals).toHaveLength(1);
    await save(fixture, ids[0], { ...TEXT, share: true });
    expect((await readSeat(fixture, ids[0]))?.note?.shared).toMatchObject({
      version: 2,
      withdrawnAt: null,
    });
  });

  test('cannot be shared if it is empty, and an empty draft is deleted', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    const empty = await save(fixture, ids[0], { did: ' ', share: true });
    expect(empty.status).toBe(400);
    expect(empty.error.fields).toHaveProperty('did');
    await save(fixture, ids[0], { did: 'Fractions' });
    await save(fixture, ids[0], { did: '' });
    expect((await readSeat(fixture, ids[0]))?.note).toBeNull();
    expect((await save(fixture, ids[0], { did: 'x'.repeat(2001) })).status).toBe(400);
    expect((await save(fixture, 999, { did: 'x' })).status).toBe(404);
  });

  test('from the previous lesson is shown with the next lesson', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    await save(fixture, ids[0], { ...TEXT, share: true });
    expect((await readSeat(fixture, ids[1]))?.previous).toEqual({
      sessionId: ids[0],
      date: '2026-11-17',
      nextTime: 'Decimals',
      homework: 'Exercise 9B',
      isHomeworkDone: false,
    });
    await save(fixture, ids[1], { nextTime: 'Percentages' });
    expect((await readSeat(fixture, ids[2]))?.previous?.nextTime).toBe('Percentages');
    expect((await readSeat(fixture, ids[0]))?.previous).toBeNull();
  });

  test("is included in the student's paginated list, latest lesson first", async () => {
    const { fixture, ids } = await createWeeklyLessons();
    for (const id of ids.slice(0, 3)) await save(fixture, id, { did: `Lesson ${id}` });
    expect((await listNotes(fixture)).map(({ sessionId }) => sessionId)).toEqual(
      ids.slice(0, 3).toReversed(),
    );
    const page = await listNotes(fixture, { limit: 1, offset: 1 });
    expect(page.map(({ sessionId }) => sessionId)).toEqual([ids[1]]);
  });

  test('follows a lesson that is moved and then moved back', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    await save(fixture, ids[0], { ...TEXT, share: true });
    await fixture.browser.call(lessonNotes.setHomeworkDone, {
      params: { id: ids[0], studentId: fixture.studentId },
      body: { isDone: true },
    });
    const moved = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: ids[0] },
      body: { date: '2026-11-19', startTime: '09:00', endTime: '10:00' },
    });
    expect((await readSeat(fixture, moved.body.id))?.note).toMatchObject({
      date: '2026-11-19',
      shared: TEXT,
      homeworkDone: { name: null },
    });
    expect((await readSeat(fixture, ids[0]))?.note).toBeNull();
    expect((await save(fixture, ids[0], { did: 'x' })).status).toBe(409);
    await fixture.browser.call(sessions.undoReschedule, { params: { id: moved.body.id } });
    expect((await listNotes(fixture)).map(({ sessionId }) => sessionId)).toEqual([ids[0]]);
  });

  test('is kept when its series ends earlier, and is not given to another student', async () => {
    const { fixture, lessonId, ids } = await createWeeklyLessons();
    await save(fixture, ids[2], { ...TEXT, share: true });
    await save(fixture, ids[0], { did: 'Only Maya', share: true });
    const change = (body: object) =>
      fixture.browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(fixture, weekly(body)), scope: 'all', sessionId: ids[0] },
      });
    expect((await change({ recurringEndDate: '2026-11-24' })).status).toBe(200);
    expect(await listNotes(fixture)).toHaveLength(2);
    const leo = await createStudent(fixture.browser, { name: 'Leo Hale' });
    await change({ recurringEndDate: '2026-11-24', studentId: leo.id });
    const seat = await readSeat(fixture, ids[0]);
    expect(seat).toMatchObject({ studentId: leo.id, note: null, previous: null });
  });
});

describe('completing a lesson', () => {
  test('saves the three lines for each student of a group', async () => {
    const { browser, ...ids } = await createTutorWithStudentAndSubject(app);
    const fixture = { browser, ...ids };
    const leo = await createStudent(browser, { name: 'Leo Hale' });
    const students = [{ studentId: fixture.studentId }, { studentId: leo.id }];
    const { sessionId } = await addLesson(fixture, { students });
    await addLesson(fixture, { studentId: leo.id, date: '2026-11-26' });
    const completed = await browser.call(sessions.completeSession, {
      params: { id: sessionId },
      body: { notes: 'Private', familyNote: { ...TEXT, share: true } },
    });
    expect([completed.status, completed.body.notes]).toEqual([200, 'Private']);
    const { body } = await browser.call(lessonNotes.sessionNotes, { params: { id: sessionId } });
    expect(body.students.map(({ note }) => note?.shared)).toMatchObject([
      { ...TEXT, dueOn: null },
      { ...TEXT, dueOn: '2026-11-26' },
    ]);
  });

  test("keeps the existing note's text and homework date where the new lines are empty", async () => {
    const { fixture, ids } = await createWeeklyLessons();
    const complete = (id: number, familyNote: Partial<SaveNoteInput>) =>
      fixture.browser.call(sessions.completeSession, { params: { id }, body: { familyNote } });
    await save(fixture, ids[0], { homework: '9B', dueOn: '2026-12-01', share: true });
    await complete(ids[0], { did: '', nextTime: 'Ratios', homework: '', share: true });
    expect((await readSeat(fixture, ids[0]))?.note).toMatchObject({
      draft: null,
      shared: { did: '', nextTime: 'Ratios', homework: '9B', dueOn: '2026-12-01', version: 2 },
    });
    await save(fixture, ids[1], { did: 'Draft', homework: '9C' });
    await complete(ids[1], { did: 'Fractions', share: true });
    expect((await readSeat(fixture, ids[1]))?.note).toMatchObject({
      draft: null,
      shared: { did: 'Fractions', homework: '9C' },
    });
    await save(fixture, ids[2], { homework: '9D', share: true });
    await withdraw(fixture, ids[2]);
    await complete(ids[2], { did: 'Decimals', share: true });
    expect((await readSeat(fixture, ids[2]))?.note?.shared).toMatchObject({
      did: 'Decimals',
      homework: '',
    });
  });

  test('does not change the existing notes of students in a group', async () => {
    const { browser, ...ids } = await createTutorWithStudentAndSubject(app);
    const fixture = { browser, ...ids };
    const leo = await createStudent(browser, { name: 'Leo Hale' });
    const ida = await createStudent(browser, { name: 'Ida Lund' });
    const students = [fixture.studentId, leo.id, ida.id].map((studentId) => ({ studentId }));
    const { sessionId } = await addLesson(fixture, { students });
    const saveFor = (studentId: number, body: Partial<SaveNoteInput>) =>
      browser.call(lessonNotes.saveNote, { params: { id: sessionId, studentId }, body });
    await saveFor(fixture.studentId, { did: 'Only Maya' });
    await saveFor(leo.id, { homework: 'Only Leo', share: true });
    await browser.call(sessions.completeSession, {
      params: { id: sessionId },
      body: { familyNote: { did: 'Everyone', share: true } },
    });
    const { body } = await browser.call(lessonNotes.sessionNotes, { params: { id: sessionId } });
    expect(body.students.map(({ note }) => note)).toMatchObject([
      { draft: { did: 'Only Maya' }, shared: null },
      { draft: null, shared: { did: '', homework: 'Only Leo', version: 1 } },
      { draft: null, shared: { did: 'Everyone' } },
    ]);
  });

  test('in a batch saves either all the notes or none, and keeps the drafts of lessons without a new note', async () => {
    const { fixture, ids } = await createWeeklyLessons();
    await save(fixture, ids[1], { did: 'Draft' });
    const complete = (familyNote: object) =>
      fixture.browser.call(sessions.completeSessions, {
        body: { sessions: [{ id: ids[0], familyNote }, { id: ids[1] }] },
      });
    expect((await complete({ did: '', share: true })).status).toBe(400);
    expect((await readSeat(fixture, ids[0]))?.note).toBeNull();
    expect((await complete({ did: 'Fractions' })).body).toEqual({ completed: 2 });
    expect((await readSeat(fixture, ids[0]))?.note?.draft?.did).toBe('Fractions');
    expect((await readSeat(fixture, ids[1]))?.note?.draft?.did).toBe('Draft');
  });
});

test('the tutor can mark homework as done or not done, and repeating it changes nothing', async () => {
  const { fixture, ids } = await createWeeklyLessons();
  const mark = (isDone: boolean) =>
    fixture.browser.call(lessonNotes.setHomeworkDone, {
      params: { id: ids[0], studentId: fixture.studentId },
      body: { isDone },
    });
  expect((await mark(true)).status).toBe(404);
  await save(fixture, ids[0], TEXT);
  for (const isDone of [true, true, false, false]) {
    const { body } = await mark(isDone);
    expect(body.students[0]?.note?.homeworkDone).toEqual(
      isDone ? { at: '2026-11-16T12:00:00.000Z', name: null } : null,
    );
  }
});
