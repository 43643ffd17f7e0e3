import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

describe('a one-off lesson', () => {
  test('[API-19] is saved with exactly one session, and [API-15] is listed with its next session and counts', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const saved = await addLesson(fixture);
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
    const list = await fixture.browser.call(lessons.listLessons);
    expect(list.body).toHaveLength(1);
    expect(list.body[0]).toMatchObject({
      id: saved.lessonId,
      nextSession: {
        id: saved.sessionId,
        date: '2026-11-17',
        startTime: '16:00',
        endTime: '17:00',
      },
      counts: { scheduled: 1, completed: 0, cancelled: 0 },
    });
  });

  test('[ENT-02..10] has the fields in the specification, with their defaults', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture);
    const { body } = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(body).toMatchObject({
      title: 'Maya Okafor - Maths',
      date: '2026-11-17',
      startTime: '16:00',
      endTime: '17:00',
      status: 'scheduled',
      fee: 35,
      studentId: fixture.studentId,
      subjectId: fixture.subjectId,
      notes: null,
      isRecurring: false,
      recurringPattern: 'weekly',
      recurringDay: null,
      recurringEndDate: null,
      currency: 'GBP',
      duration: 60,
    });
  });

  test('[LESS-42] can be created without notes, recurrence, fee or currency; without a fee it is free', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { studentId, subjectId } = fixture;
    const body = {
      studentId,
      subjectId,
      title: 'Trial',
      date: '2026-11-18',
      startTime: '09:00',
      endTime: '09:45',
    };
    const saved = await fixture.browser.call(lessons.createLesson, { body });
    expect(saved.status).toBe(201);
    const { body: lesson } = await fixture.browser.call(lessons.lesson, {
      params: { id: saved.body.lessonId },
    });
    expect(lesson).toMatchObject({ fee: null, currency: 'GBP', duration: 45 });
  });

  test('the server calculates the duration and ignores an incorrect one in the request', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, { duration: 999 });
    const { body } = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(body.duration).toBe(60);
  });

  test('can be in the past', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, { date: '2026-11-02' });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-02 16:00 scheduled']);
  });

  test.each([
    ['studentId', { studentId: undefined }, 'Student is required'],
    ['subjectId', { subjectId: null }, 'Subject is required'],
    ['title', { title: ' ' }, 'Title is required'],
    ['date', { date: '' }, 'Date is required'],
    ['date', { date: '2026-02-30' }, 'Please choose a date'],
    ['startTime', { startTime: '' }, 'Start time is required'],
    ['endTime', { endTime: '' }, 'End time is required'],
    ['endTime', { endTime: '16:00' }, 'End time must be after start time'],
    ['endTime', { startTime: '23:30', endTime: '00:30' }, 'End time must be after start time'],
    ['fee', { fee: 0.5 }, 'Fee must be greater than 0'],
    ['currency', { currency: 'CHF' }, 'Please choose a currency from the list'],
    [
      'recurringEndDate',
      { isRecurring: true, recurringEndDate: '2026-11-16' },
      'End date must not be before the date',
    ],
  ])(
    "[API-50] returns 400 with the form's message for an invalid %s",
    async (field, change, message) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      const response = await fixture.browser.send(
        'POST',
        '/api/lessons',
        lessonBody(fixture, change as never),
      );
      expect(response.status).toBe(400);
      expect(response.error.fields).toEqual({ [field]: message });
      expect(await fetchSessionsAsText(fixture)).toEqual([]);
    },
  );

  test('[CONST-18] can use any currency in the list, but no other', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (const currency of ['USD', 'GBP', 'EUR', 'INR'] as const) {
      const response = await fixture.browser.call(lessons.createLesson, {
        body: lessonBody(fixture, { currency, acceptOverlaps: true }),
      });
      expect(response.status).toBe(201);
    }
    const other = await fixture.browser.send(
      'POST',
      '/api/lessons',
      lessonBody(fixture, { currency: 'JPY' as never }),
    );
    expect(other.status).toBe(400);
  });

  test('[CONST-14] can be saved after the trial has ended', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    app.clock.advance({ days: 20 });
    const response = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, { date: '2026-12-20' }),
    });
    await app.restartClock();
    expect(response.status).toBe(201);
  });
});

describe('a recurring lesson', () => {
  test('has a session every week up to and including its end date', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    expect(await fetchSessionsAsText(fixture)).toEqual(
      ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15'].map(
        (date) => `${date} 16:00 scheduled`,
      ),
    );
  });

  test('[ENT-09] has a weekday or a day of the month', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const one = await addLesson(fixture, weekly());
    const two = await addLesson(fixture, {
      ...weekly({ recurringPattern: 'monthly', recurringEndDate: null }),
      date: '2026-11-30',
      startTime: '10:00',
      endTime: '11:00',
    });
    const day = async (id: number) =>
      (await fixture.browser.call(lessons.lesson, { params: { id } })).body.recurringDay;
    expect(await day(one.lessonId)).toBe(2);
    expect(await day(two.lessonId)).toBe(30);
  });

  test('without an end date has sessions for twelve months, and the job generates more', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ recurringEndDate: null }));
    expect((await fetchSessionsAsText(fixture, '2027-11-01', '2027-11-30')).at(-1)).toBe(
      '2027-11-16 16:00 scheduled',
    );
    const { extendAllSeries } = await import('./service/rolling-generation.ts');
    app.clock.advance({ days: 28 });
    await extendAllSeries(app.context);
    await extendAllSeries(app.context);
    expect(await fetchSessionsAsText(fixture, '2027-11-01', '2027-12-31')).toEqual(
      ['02', '09', '16', '23', '30']
        .map((day) => `2027-11-${day} 16:00 scheduled`)
        .concat(['07', '14'].map((day) => `2027-12-${day} 16:00 scheduled`)),
    );
    await app.restartClock();
  });

  test('on the 31st of each month falls on the last day of shorter months', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, {
      ...weekly({ recurringPattern: 'monthly', recurringEndDate: '2027-03-31' }),
      date: '2026-12-31',
    });
    const rows = [
      ...(await fetchSessionsAsText(fixture, '2026-12-01', '2027-02-28')),
      ...(await fetchSessionsAsText(fixture, '2027-03-01', '2027-03-31')),
    ];
    expect(rows).toEqual(
      ['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31'].map(
        (date) => `${date} 16:00 scheduled`,
      ),
    );
  });

  test('if it started in the past, gets sessions from today onwards or, if requested, completed past sessions without charges', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const past = { ...weekly({ recurringEndDate: '2026-11-24' }), date: '2026-11-03' };
    await addLesson(fixture, past);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 scheduled',
    ]);

    const other = await createTutorWithStudentAndSubject(app);
    await addLesson(other, { ...past, pastSessions: 'taught' });
    const rows = await other.browser.call(sessions.listSessions, {
      query: { from: '2026-11-01', to: '2026-11-30' },
    });
    expect(rows.body.map((row) => [row.date, row.status, row.charged])).toEqual([
      ['2026-11-03', 'completed', null],
      ['2026-11-10', 'completed', null],
      ['2026-11-17', 'scheduled', null],
      ['2026-11-24', 'scheduled', null],
    ]);
  });

  test('F101 can have completed past sessions that are not yet paid', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const past = { ...weekly({ recurringEndDate: '2026-11-24' }), date: '2026-11-03' };
    await addLesson(fixture, { ...past, pastSessions: 'unpaid' });
    const rows = await fixture.browser.call(sessions.listSessions, {
      query: { from: '2026-11-01', to: '2026-11-30' },
    });
    expect(rows.body.map((row) => [row.date, row.status, row.outstanding])).toEqual([
      ['2026-11-03', 'completed', 3500],
      ['2026-11-10', 'completed', 3500],
      ['2026-11-17', 'scheduled', null],
      ['2026-11-24', 'scheduled', null],
    ]);
  });

  test('F120 can be on the last Sunday of each month, and can be moved to another weekday of the month', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const monthly = weekly({
      date: '2026-11-29',
      recurringPattern: 'monthly_last_weekday',
      recurringEndDate: '2027-02-28',
    });
    const { lessonId, sessionId } = await addLesson(fixture, monthly);
    const dates = async () =>
      (await fetchSessionsAsText(fixture, '2026-11-01', '2027-01-31')).map((text) =>
        text.slice(0, 10),
      );
    expect(await dates()).toEqual(['2026-11-29', '2026-12-27', '2027-01-31']);
    const moved = await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: { ...lessonBody(fixture, monthly), date: '2026-11-21', scope: 'all', sessionId },
    });
    expect(moved.status).toBe(200);
    expect(await dates()).toEqual(['2026-11-21', '2026-12-19', '2027-01-16']);
    const lesson = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(lesson.body.recurringPattern).toBe('monthly_weekday');
  });

  test('the preview returns the change summary and saves nothing', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, { date: '2026-11-24', startTime: '16:30', endTime: '17:30' });
    const preview = await fixture.browser.call(lessons.previewNewLesson, {
      body: lessonBody(fixture, weekly()),
    });
    expect(preview.body).toMatchObject({
      created: 5,
      firstDate: '2026-11-17',
      lastDate: '2026-12-15',
    });
    expect(preview.body.overlaps.map((overlap) => overlap.date)).toEqual(['2026-11-24']);
    expect(await fetchSessionsAsText(fixture)).toHaveLength(1);
  });
});

describe('an overlap', () => {
  test('returns 409 with the overlaps; the lesson is saved once they are accepted', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const first = await addLesson(fixture);
    const body = lessonBody(fixture, { startTime: '16:30', endTime: '17:30' });
    const rejected = await fixture.browser.call(lessons.createLesson, { body });
    expect(rejected.status).toBe(409);
    expect(rejected.error.code).toBe('overlap');
    expect(rejected.error.overlaps).toEqual([
      {
        date: '2026-11-17',
        startTime: '16:30',
        endTime: '17:30',
        withSessionId: first.sessionId,
        withTitle: 'Maya Okafor - Maths',
        withStartTime: '16:00',
        withEndTime: '17:00',
      },
    ]);
    expect(await fetchSessionsAsText(fixture)).toHaveLength(1);
    const confirmed = await fixture.browser.call(lessons.createLesson, {
      body: { ...body, acceptOverlaps: true },
    });
    expect(confirmed.status).toBe(201);
    expect(await fetchSessionsAsText(fixture)).toHaveLength(2);
  });

  test('adjacent lessons do not overlap', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    await addLesson(fixture, { startTime: '17:00', endTime: '18:00' });
    expect(await fetchSessionsAsText(fixture)).toHaveLength(2);
  });
});

describe('an idempotency key', () => {
  test('makes repeated and concurrent requests return the first response without further changes', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const send = (key: string, body: unknown) =>
      fixture.browser.send('POST', '/api/lessons', body, { 'idempotency-key': key });
    const body = lessonBody(fixture, weekly());
    const responses = await Promise.all([1, 2, 3, 4].map(() => send('the-same-key', body)));
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201, 201]);
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    expect(await fetchSessionsAsText(fixture)).toHaveLength(5);
    const other = await send('the-same-key', lessonBody(fixture, { date: '2026-11-20' }));
    expect(other.status).toBe(409);
  });

  test('a rejected request does not block the confirmed one', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    const body = lessonBody(fixture);
    const rejected = await fixture.browser.send('POST', '/api/lessons', body, {
      'idempotency-key': 'first-try',
    });
    expect(rejected.status).toBe(409);
    const confirmed = await fixture.browser.send(
      'POST',
      '/api/lessons',
      { ...body, acceptOverlaps: true },
      { 'idempotency-key': 'second-try' },
    );
    expect(confirmed.status).toBe(201);
  });
});
