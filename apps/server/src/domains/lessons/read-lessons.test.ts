import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newStudent } from '../../test/factories.ts';
import {
  addLesson,
  createLessonFixture,
  type LessonFixture,
  listSessionsBetween,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const byDate = (fixture: LessonFixture, date: string) =>
  fixture.browser.call(sessions.sessionsByDate, { params: { date } });
const details = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(lessons.lesson, { params: { id } })).body;
const complete = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body: {} });
const cancel = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.cancelSession, { params: { id }, body: { cancelledBy: 'carer' } });

describe('the sessions of a day', () => {
  test('[API-46] come in the order of the clock, in every state, and only those of that day', async () => {
    const fixture = await createLessonFixture(app);
    await addLesson(fixture, { date: '2026-11-16' });
    const late = await addLesson(fixture, { startTime: '18:00', endTime: '19:00' });
    const early = await addLesson(fixture, { startTime: '08:00', endTime: '09:00' });
    const noon = await addLesson(fixture, { startTime: '12:00', endTime: '13:00' });
    await addLesson(fixture, { date: '2026-11-18' });
    await complete(fixture, early.sessionId);
    await cancel(fixture, noon.sessionId);
    const { status, body } = await byDate(fixture, '2026-11-17');
    expect(status).toBe(200);
    expect(body.map((row) => [row.id, row.startTime, row.status])).toEqual([
      [early.sessionId, '08:00', 'completed'],
      [noon.sessionId, '12:00', 'cancelled'],
      [late.sessionId, '18:00', 'scheduled'],
    ]);
  });

  test('[API-47] are an empty list when there is nothing', async () => {
    const fixture = await createLessonFixture(app);
    const { status, body } = await byDate(fixture, '2026-11-17');
    expect([status, body]).toEqual([200, []]);
  });

  test.each(['2026-02-30', 'today', '2026-1-1', '20261117'])(
    'a day that does not exist (%s) is refused',
    async (date) => {
      const fixture = await createLessonFixture(app);
      const answer = await byDate(fixture, date);
      expect(answer.status).toBe(400);
      expect(answer.error.message).toBe('Please pick a date');
    },
  );

  test('a row has what a calendar shows', async () => {
    const fixture = await createLessonFixture(app);
    const { lessonId, sessionId } = await addLesson(fixture, { place: 'Library', notes: 'mine' });
    expect((await byDate(fixture, '2026-11-17')).body).toEqual([
      {
        id: sessionId,
        lessonId,
        date: '2026-11-17',
        startTime: '16:00',
        endTime: '17:00',
        status: 'scheduled',
        title: 'Maya Okafor - Maths',
        studentId: fixture.studentId,
        studentName: 'Maya Okafor',
        subjectId: fixture.subjectId,
        subjectName: 'Maths',
        subjectColor: 'pine',
        fee: 35,
        currency: 'GBP',
        place: 'Library',
        isRecurring: false,
        charged: null,
        outstanding: null,
        paymentId: null,
      },
    ]);
  });
});

describe('the sessions of a range', () => {
  test('[API-46] include both ends', async () => {
    const fixture = await createLessonFixture(app);
    await addLesson(fixture, weekly());
    const dates = async (from: string, to: string) =>
      (await listSessionsBetween(fixture, from, to)).map((row) => row.date);
    expect(await dates('2026-11-24', '2026-12-08')).toEqual([
      '2026-11-24',
      '2026-12-01',
      '2026-12-08',
    ]);
    expect(await dates('2026-11-25', '2026-12-07')).toEqual(['2026-12-01']);
  });

  test.each([
    ['2026-11-01', '2027-02-28'],
    ['2026-11-17', '2026-11-16'],
  ])('from %s to %s is refused in words', async (from, to) => {
    const fixture = await createLessonFixture(app);
    const answer = await fixture.browser.call(sessions.listSessions, { query: { from, to } });
    expect(answer.status).toBe(400);
    expect(answer.error.message).toBe('Please ask for at most 100 days.');
  });

  test('100 days are fine, and a range needs both of its days', async () => {
    const fixture = await createLessonFixture(app);
    const fine = await fixture.browser.call(sessions.listSessions, {
      query: { from: '2026-11-01', to: '2027-02-08' },
    });
    expect(fine.status).toBe(200);
    expect((await fixture.browser.send('GET', '/api/sessions?from=2026-11-01')).status).toBe(400);
    expect((await fixture.browser.send('GET', '/api/sessions')).status).toBe(400);
  });
});

describe('one session', () => {
  test('[API-48] [ENT-19] has lesson, date, times, minutes, status and notes', async () => {
    const fixture = await createLessonFixture(app);
    const { lessonId, sessionId } = await addLesson(fixture, {
      startTime: '16:15',
      notes: 'Bring the workbook',
    });
    const { status, body } = await fixture.browser.call(sessions.session, {
      params: { id: sessionId },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: sessionId,
      lessonId,
      date: '2026-11-17',
      startTime: '16:15',
      endTime: '17:00',
      duration: 45,
      status: 'scheduled',
      notes: 'Bring the workbook',
      attendance: null,
      cancelledBy: null,
      cancelReason: null,
    });
  });

  test('[API-48] that is not in the book is not found', async () => {
    const fixture = await createLessonFixture(app);
    const answer = await fixture.browser.call(sessions.session, { params: { id: 12 } });
    expect(answer.status).toBe(404);
    expect(answer.error.message).toBe('Session not found');
    for (const id of ['0', 'first', '99999999999'])
      expect((await fixture.browser.send('GET', `/api/sessions/${id}`)).status).toBe(400);
  });
});

describe('sessions that wait to be ticked off', () => {
  test('are those that have ended and are still scheduled, oldest first', async () => {
    const fixture = await createLessonFixture(app);
    const today = { date: '2026-11-16' };
    const running = await addLesson(fixture, { ...today, startTime: '11:30', endTime: '12:30' });
    const over = await addLesson(fixture, { ...today, startTime: '10:00', endTime: '11:00' });
    const old = await addLesson(fixture, { date: '2026-11-02' });
    const taught = await addLesson(fixture, { date: '2026-11-03' });
    const gone = await addLesson(fixture, { date: '2026-11-04' });
    await complete(fixture, taught.sessionId);
    await cancel(fixture, gone.sessionId);
    const due = async () =>
      (await fixture.browser.call(sessions.dueSessions)).body.map((row) => row.id);
    expect(await due()).toEqual([old.sessionId, over.sessionId]);
    app.clock.forward({ minutes: 30 });
    expect(await due()).toEqual([old.sessionId, over.sessionId, running.sessionId]);
  });
});

describe('the details of a lesson', () => {
  test('have what is to come in order, what is past with the latest first, and the money so far', async () => {
    const fixture = await createLessonFixture(app);
    const { lessonId } = await addLesson(
      fixture,
      weekly({ recurringEndDate: '2026-12-08', place: 'Library' }),
    );
    const [one, two, three] = await listSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    app.clock.forward({ days: 15, hours: 8 });
    await complete(fixture, one?.id ?? 0);
    await complete(fixture, two?.id ?? 0);
    await cancel(fixture, three?.id ?? 0);
    const body = await details(fixture, lessonId);
    expect(body.coming.map((row) => row.date)).toEqual(['2026-12-08']);
    expect(body.past.map((row) => [row.date, row.status])).toEqual([
      ['2026-12-01', 'cancelled'],
      ['2026-11-24', 'completed'],
      ['2026-11-17', 'completed'],
    ]);
    expect(body.money).toEqual([{ currency: 'GBP', charged: 7000, outstanding: 7000 }]);
    expect(body).toMatchObject({
      place: 'Library',
      isRecurring: true,
      recurringPattern: 'weekly',
      recurringEndDate: '2026-12-08',
      nextSession: { date: '2026-12-08' },
      continuesLessonId: null,
    });
  });

  test('do not call coming what has ended, ticked off or not', async () => {
    const fixture = await createLessonFixture(app);
    const { lessonId } = await addLesson(fixture, weekly());
    app.clock.forward({ days: 2 });
    const body = await details(fixture, lessonId);
    expect(body.coming[0]?.date).toBe('2026-11-24');
    expect(body.coming[0]?.id).toBe(body.nextSession?.id);
    expect(body.past.map((row) => row.date)).toEqual(['2026-11-17']);
  });

  test('have no money line when nothing was charged', async () => {
    const fixture = await createLessonFixture(app);
    const { lessonId } = await addLesson(fixture);
    expect((await details(fixture, lessonId)).money).toEqual([]);
  });

  test('of a lesson that is not in the book are a 404', async () => {
    const fixture = await createLessonFixture(app);
    const answer = await fixture.browser.call(lessons.lesson, { params: { id: 5 } });
    expect(answer.status).toBe(404);
    expect(answer.error.message).toBe('That lesson is not in your book.');
  });
});

describe('the list of lessons', () => {
  test('[API-15] names student and subject, the next session that has not ended, and the counts', async () => {
    const fixture = await createLessonFixture(app);
    const noah = await newStudent(fixture.browser, { name: 'Noah' });
    await addLesson(fixture, { ...weekly(), title: 'Maya on Tuesdays' });
    await addLesson(fixture, { date: '2026-11-16', studentId: noah.id, title: 'Noah once' });
    app.clock.forward({ days: 1, hours: 4, minutes: 30 });
    const names = (await fixture.browser.call(lessons.listLessons)).body.map((lesson) => [
      lesson.title,
      lesson.studentName,
      lesson.subjectName,
      lesson.nextSession?.date ?? null,
      lesson.counts.scheduled,
    ]);
    expect(names).toEqual([
      ['Noah once', 'Noah', 'Maths', null, 1],
      ['Maya on Tuesdays', 'Maya Okafor', 'Maths', '2026-11-17', 5],
    ]);
    app.clock.forward({ minutes: 30 });
    const [, maya] = (await fixture.browser.call(lessons.listLessons)).body;
    expect(maya?.nextSession?.date).toBe('2026-11-24');
  });

  test('[API-15] of a new tutor is empty', async () => {
    const fixture = await createLessonFixture(app);
    expect((await fixture.browser.call(lessons.listLessons)).body).toEqual([]);
  });
});
