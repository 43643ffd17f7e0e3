import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const listByDate = (fixture: LessonFixture, date: string) =>
  fixture.browser.call(sessions.sessionsByDate, { params: { date } });
const readDetails = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(lessons.lesson, { params: { id } })).body;
const complete = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body: {} });
const cancel = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.cancelSession, { params: { id }, body: { cancelledBy: 'carer' } });

describe('sessionsByDate', () => {
  test('[API-46] returns sessions of any status on that day, ordered by time', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, { date: '2026-11-16' });
    const late = await addLesson(fixture, { startTime: '18:00', endTime: '19:00' });
    const early = await addLesson(fixture, { startTime: '08:00', endTime: '09:00' });
    const noon = await addLesson(fixture, { startTime: '12:00', endTime: '13:00' });
    await addLesson(fixture, { date: '2026-11-18' });
    await complete(fixture, early.sessionId);
    await cancel(fixture, noon.sessionId);
    const { status, body } = await listByDate(fixture, '2026-11-17');
    expect(status).toBe(200);
    expect(body.map((row) => [row.id, row.startTime, row.status])).toEqual([
      [early.sessionId, '08:00', 'completed'],
      [noon.sessionId, '12:00', 'cancelled'],
      [late.sessionId, '18:00', 'scheduled'],
    ]);
  });

  test('[API-47] returns an empty list for a day without sessions', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { status, body } = await listByDate(fixture, '2026-11-17');
    expect([status, body]).toEqual([200, []]);
  });

  test.each(['2026-02-30', 'today', '2026-1-1', '20261117'])(
    'returns 400 for the invalid date %s',
    async (date) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      const response = await listByDate(fixture, date);
      expect(response.status).toBe(400);
      expect(response.error.message).toBe('Please choose a date');
    },
  );

  test('returns every field that the calendar shows', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, { place: 'Library', notes: 'mine' });
    expect((await listByDate(fixture, '2026-11-17')).body).toEqual([
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
        fee: 3500,
        currency: 'GBP',
        place: 'Library',
        isRecurring: false,
        charged: null,
        outstanding: null,
        paymentId: null,
        students: [
          {
            studentId: fixture.studentId,
            name: 'Maya Okafor',
            state: 'expected',
            attendance: null,
            fee: 3500,
            feeSource: 'lesson',
            charged: null,
            outstanding: null,
            paymentId: null,
          },
        ],
      },
    ]);
  });
});

describe('listSessions', () => {
  test('[API-46] includes both boundary dates', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const dates = async (from: string, to: string) =>
      (await fetchSessionsBetween(fixture, from, to)).map((row) => row.date);
    expect(await dates('2026-11-24', '2026-12-08')).toEqual([
      '2026-11-24',
      '2026-12-01',
      '2026-12-08',
    ]);
    expect(await dates('2026-11-25', '2026-12-07')).toEqual(['2026-12-01']);
  });

  test.each([
    ['2026-11-01', '2027-02-28', 'Please choose a period of at most 100 days.'],
    ['2026-11-17', '2026-11-16', 'Please choose an end date that is not before the start date.'],
  ])('returns 400 with a message for the range %s to %s', async (from, to, message) => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const response = await fixture.browser.call(sessions.listSessions, { query: { from, to } });
    expect(response.status).toBe(400);
    expect(response.error.message).toBe(message);
  });

  test('accepts 100 days, and returns 400 unless both dates are given', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const accepted = await fixture.browser.call(sessions.listSessions, {
      query: { from: '2026-11-01', to: '2027-02-08' },
    });
    expect(accepted.status).toBe(200);
    expect((await fixture.browser.send('GET', '/api/sessions?from=2026-11-01')).status).toBe(400);
    expect((await fixture.browser.send('GET', '/api/sessions')).status).toBe(400);
  });
});

describe('the session endpoint', () => {
  test('[API-48] [ENT-19] returns the lesson, date, times, duration, status and notes', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
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

  test('[API-48] returns 404 for an unknown id and 400 for an invalid id', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const response = await fixture.browser.call(sessions.session, { params: { id: 12 } });
    expect(response.status).toBe(404);
    expect(response.error.message).toBe('Session not found');
    for (const id of ['0', 'first', '99999999999'])
      expect((await fixture.browser.send('GET', `/api/sessions/${id}`)).status).toBe(400);
  });
});

describe('dueSessions', () => {
  test('returns sessions that have ended but still have the status "scheduled", oldest first', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const today = { date: '2026-11-16' };
    const running = await addLesson(fixture, { ...today, startTime: '11:30', endTime: '12:30' });
    const ended = await addLesson(fixture, { ...today, startTime: '10:00', endTime: '11:00' });
    const oldest = await addLesson(fixture, { date: '2026-11-02' });
    const completed = await addLesson(fixture, { date: '2026-11-03' });
    const cancelled = await addLesson(fixture, { date: '2026-11-04' });
    await complete(fixture, completed.sessionId);
    await cancel(fixture, cancelled.sessionId);
    const due = async () =>
      (await fixture.browser.call(sessions.dueSessions)).body.map((row) => row.id);
    expect(await due()).toEqual([oldest.sessionId, ended.sessionId]);
    app.clock.advance({ minutes: 30 });
    expect(await due()).toEqual([oldest.sessionId, ended.sessionId, running.sessionId]);
  });
});

describe('the details of a lesson', () => {
  test('contain upcoming sessions in order, past sessions newest first, and totals', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(
      fixture,
      weekly({ recurringEndDate: '2026-12-08', place: 'Library' }),
    );
    const [one, two, three] = await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31');
    app.clock.advance({ days: 15, hours: 8 });
    await complete(fixture, one?.id ?? 0);
    await complete(fixture, two?.id ?? 0);
    await cancel(fixture, three?.id ?? 0);
    const body = await readDetails(fixture, lessonId);
    expect(body.upcoming.map((row) => row.date)).toEqual(['2026-12-08']);
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

  test('list a session that has ended as past, even if it is not completed', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly());
    app.clock.advance({ days: 2 });
    const body = await readDetails(fixture, lessonId);
    expect(body.upcoming[0]?.date).toBe('2026-11-24');
    expect(body.upcoming[0]?.id).toBe(body.nextSession?.id);
    expect(body.past.map((row) => row.date)).toEqual(['2026-11-17']);
  });

  test('list each date with its times and status only, because a series can have over a thousand', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture);
    expect((await readDetails(fixture, lessonId)).upcoming).toEqual([
      {
        id: sessionId,
        date: '2026-11-17',
        startTime: '16:00',
        endTime: '17:00',
        status: 'scheduled',
      },
    ]);
  });

  test('have no totals if nothing has been charged', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture);
    expect((await readDetails(fixture, lessonId)).money).toEqual([]);
  });

  test('return 404 for an unknown lesson', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const response = await fixture.browser.call(lessons.lesson, { params: { id: 5 } });
    expect(response.status).toBe(404);
    expect(response.error.message).toBe("We couldn't find that lesson.");
  });
});

describe('the list of lessons', () => {
  test('[API-15] contains the student, the subject, the current or next session, and session counts', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    await addLesson(fixture, { ...weekly(), title: 'Maya on Tuesdays' });
    await addLesson(fixture, { date: '2026-11-16', studentId: noah.id, title: 'Noah once' });
    app.clock.advance({ days: 1, hours: 4, minutes: 30 });
    const names = (await fixture.browser.call(lessons.listLessons)).body.map((lesson) => [
      lesson.title,
      lesson.studentName,
      lesson.subjectName,
      lesson.nextSession?.date ?? null,
      lesson.counts.scheduled,
    ]);
    expect(names).toEqual([
      ['Maya on Tuesdays', 'Maya Okafor', 'Maths', '2026-11-17', 5],
      ['Noah once', 'Noah', 'Maths', null, 1],
    ]);
    app.clock.advance({ minutes: 30 });
    const [maya] = (await fixture.browser.call(lessons.listLessons)).body;
    expect(maya?.nextSession?.date).toBe('2026-11-24');
  });

  test('[API-15] is empty for a new tutor', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    expect((await fixture.browser.call(lessons.listLessons)).body).toEqual([]);
  });
});
