import { accounts } from '@lessonbook/contract/accounts';
import { lessons } from '@lessonbook/contract/lessons';
import { type CompleteInput, SESSION_STATUSES, sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTutorId } from '../../test/create-tutor.ts';
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

const complete = (fixture: LessonFixture, id: number, body: Partial<CompleteInput> = {}) =>
  fixture.browser.call(sessions.completeSession, { params: { id }, body });
const cancel = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.cancelSession, {
    params: { id },
    body: { cancelledBy: 'student' },
  });
const move = (
  fixture: LessonFixture,
  id: number,
  date: string,
  options: { acceptOverlaps?: boolean } = {},
) =>
  fixture.browser.call(sessions.rescheduleSession, {
    params: { id },
    body: { date, startTime: '10:00', endTime: '11:30', ...options },
  });
const reopen = (fixture: LessonFixture, id: number, acceptOverlaps = false) =>
  fixture.browser.call(sessions.reopenSession, { params: { id }, body: { acceptOverlaps } });
const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const listSessionIds = async (fixture: LessonFixture) =>
  (await fetchSessionsBetween(fixture, '2026-11-01', '2027-01-31')).map((row) => row.id);

describe('completing', () => {
  test.each([
    ['attended', true],
    ['attended', false],
    ['late', true],
    ['late', false],
    ['absent', true],
    ['absent', false],
  ] as const)('[SESS-24] stores attendance %s; charged: %s', async (attendance, charge) => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const response = await complete(fixture, sessionId, { attendance, charge });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      id: sessionId,
      status: 'completed',
      attendance,
      charged: charge ? 3500 : null,
      outstanding: charge ? 3500 : null,
      paymentId: null,
    });
    expect(await readSession(fixture, sessionId)).toEqual(response.body);
  });

  test('defaults to attended and charged, and also charges for an absence', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [first = 0, second = 0] = await listSessionIds(fixture);
    expect((await complete(fixture, first)).body).toMatchObject({
      attendance: 'attended',
      charged: 3500,
    });
    expect((await complete(fixture, second, { attendance: 'absent' })).body.charged).toBe(3500);
  });

  test('stores the notes, and keeps the existing notes if none are sent', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ notes: 'Bring the workbook' }));
    const [first = 0, second = 0] = await listSessionIds(fixture);
    expect((await complete(fixture, first, { notes: 'Fractions done' })).body.notes).toBe(
      'Fractions done',
    );
    expect((await complete(fixture, second)).body.notes).toBe('Bring the workbook');
  });

  test('returns 400 for an unknown attendance value', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const response = await fixture.browser.send('POST', `/api/sessions/${sessionId}/complete`, {
      attendance: 'asleep',
    });
    expect(response.status).toBe(400);
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
  });

  test('a batch stores attendance and charge for each session', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [one = 0, two = 0, three = 0, ...rest] = await listSessionIds(fixture);
    const response = await fixture.browser.call(sessions.completeSessions, {
      body: {
        sessions: [{ id: one }, { id: two, attendance: 'late' }, { id: three, charge: false }],
      },
    });
    expect(response.body).toEqual({ completed: 3 });
    const rows = await Promise.all([one, two, three].map((id) => readSession(fixture, id)));
    expect(rows.map((row) => [row.status, row.attendance, row.charged])).toEqual([
      ['completed', 'attended', 3500],
      ['completed', 'late', 3500],
      ['completed', 'attended', null],
    ]);
    for (const id of rest) expect((await readSession(fixture, id)).status).toBe('scheduled');
  });

  test.each([
    ['one has been cancelled', 409],
    ['one does not exist', 404],
    ['one is sent twice', 404],
  ])('a batch completes no sessions if %s', async (reason, status) => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const [one = 0, two = 0, three = 0] = await listSessionIds(fixture);
    await cancel(fixture, three);
    const third = { 409: three, 404: reason.includes('twice') ? one : 999 }[status] ?? 0;
    const response = await fixture.browser.call(sessions.completeSessions, {
      body: { sessions: [{ id: one }, { id: two }, { id: third }] },
    });
    expect(response.status).toBe(status);
    const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2027-01-31');
    expect(rows.map((row) => row.status)).toEqual([
      'scheduled',
      'scheduled',
      'cancelled',
      'scheduled',
      'scheduled',
    ]);
    expect(rows.every((row) => row.charged === null)).toBe(true);
  });

  test('returns 400 for an empty batch', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const response = await fixture.browser.call(sessions.completeSessions, {
      body: { sessions: [] },
    });
    expect(response.status).toBe(400);
    expect(response.error.message).toBe('Choose at least one lesson');
  });
});

describe('rescheduling', () => {
  test('[SESS-25] [ENT-21] [ENT-22] links the old and new sessions to each other', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ place: 'Library', notes: 'Bring the workbook' }));
    const [, id = 0] = await listSessionIds(fixture);
    const moved = await move(fixture, id, '2026-11-26');
    expect(moved.status).toBe(200);
    expect(moved.body).toMatchObject({
      date: '2026-11-26',
      startTime: '10:00',
      endTime: '11:30',
      duration: 90,
      status: 'scheduled',
      fee: 3500,
      place: 'Library',
      notes: 'Bring the workbook',
      rescheduledFromSessionId: id,
      rescheduledFrom: { id, date: '2026-11-24', startTime: '16:00', endTime: '17:00' },
      rescheduledToSessionId: null,
      rescheduledTo: null,
    });
    expect(await readSession(fixture, id)).toMatchObject({
      status: 'rescheduled',
      date: '2026-11-24',
      rescheduledToSessionId: moved.body.id,
      rescheduledTo: { id: moved.body.id, date: '2026-11-26', startTime: '10:00' },
      rescheduledFromSessionId: null,
    });
  });

  test('[SESS-25] returns 409 with the overlaps and moves nothing until they are accepted', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const other = await addLesson(fixture, {
      date: '2026-11-18',
      startTime: '11:00',
      endTime: '12:00',
      title: 'Noah - Art',
    });
    const rejected = await move(fixture, sessionId, '2026-11-18');
    expect(rejected.status).toBe(409);
    expect(rejected.error).toMatchObject({
      code: 'overlap',
      message: 'This overlaps with Maya Okafor - Noah - Art.',
      overlaps: [{ date: '2026-11-18', startTime: '10:00', withSessionId: other.sessionId }],
    });
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-18 11:00 scheduled',
    ]);
    const confirmed = await move(fixture, sessionId, '2026-11-18', { acceptOverlaps: true });
    expect(confirmed.status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 rescheduled',
      '2026-11-18 10:00 scheduled',
      '2026-11-18 11:00 scheduled',
    ]);
  });

  test('a session does not overlap with itself', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const moved = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-17', startTime: '16:30', endTime: '17:30' },
    });
    expect(moved.status).toBe(200);
  });

  test('[SESS-25] repeated requests with the same idempotency key move the session once and return the same response', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const body = { date: '2026-11-19', startTime: '10:00', endTime: '11:00' };
    const send = () =>
      fixture.browser.send('POST', `/api/sessions/${sessionId}/reschedule`, body, {
        'idempotency-key': 'one-drag-only',
      });
    const responses = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 rescheduled',
      '2026-11-19 10:00 scheduled',
    ]);
  });

  test('a move to the same time changes nothing', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const response = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: sessionId },
      body: { date: '2026-11-17', startTime: '16:00', endTime: '17:00' },
    });
    expect(response.body).toMatchObject({ id: sessionId, status: 'scheduled' });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
  });

  test('two consecutive moves link three sessions, and the lesson has the new date', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId, lessonId } = await addLesson(fixture);
    const first = (await move(fixture, sessionId, '2026-11-19')).body.id;
    const second = (await move(fixture, first, '2026-11-20')).body.id;
    expect(await readSession(fixture, first)).toMatchObject({
      status: 'rescheduled',
      rescheduledFromSessionId: sessionId,
      rescheduledToSessionId: second,
    });
    const { body } = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(body).toMatchObject({
      date: '2026-11-20',
      startTime: '10:00',
      nextSession: { id: second },
      counts: { scheduled: 1, completed: 0, cancelled: 0 },
    });
  });

  test.each([
    ['date', { date: '' }, 'Date is required'],
    ['startTime', { startTime: '' }, 'Start time is required'],
    ['endTime', { endTime: '09:00' }, 'End time must be after start time'],
  ])('returns 400 with a message for an invalid %s', async (field, change, message) => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const body = { date: '2026-11-19', startTime: '10:00', endTime: '11:00', ...change };
    const response = await fixture.browser.send(
      'POST',
      `/api/sessions/${sessionId}/reschedule`,
      body,
    );
    expect(response.status).toBe(400);
    expect(response.error.fields).toEqual({ [field]: message });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
  });
});

describe('a session with the wrong status', () => {
  const setStatus = {
    completed: (fixture: LessonFixture, id: number) => complete(fixture, id),
    cancelled: (fixture: LessonFixture, id: number) => cancel(fixture, id),
    rescheduled: (fixture: LessonFixture, id: number) => move(fixture, id, '2026-11-19'),
  };

  test.each([
    ['completed', 'This lesson is already completed.'],
    ['cancelled', 'This lesson is cancelled.'],
    ['rescheduled', 'This lesson has been moved to another time.'],
  ] as const)(
    '[SESS-21] [SESS-27] completing, moving or cancelling a %s session returns 409 with the reason',
    async (status, message) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      const { sessionId } = await addLesson(fixture);
      await setStatus[status](fixture, sessionId);
      const before = await readSession(fixture, sessionId);
      expect(before.status).toBe(status);
      expect(SESSION_STATUSES).toContain(before.status);
      const responses = [
        await complete(fixture, sessionId),
        await cancel(fixture, sessionId),
        await move(fixture, sessionId, '2026-11-20'),
        await fixture.browser.call(sessions.cancellationProposal, {
          params: { id: sessionId },
          query: { cancelledBy: 'carer' },
        }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(409);
        expect(response.error).toEqual({ code: 'conflict', message });
      }
      expect(await readSession(fixture, sessionId)).toEqual(before);
    },
  );

  test.each(['scheduled', 'rescheduled'] as const)(
    '[SESS-27] reopening a %s session returns 409',
    async (status) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      const { sessionId } = await addLesson(fixture);
      if (status === 'rescheduled') await move(fixture, sessionId, '2026-11-19');
      const response = await reopen(fixture, sessionId);
      expect(response.status).toBe(409);
      expect(response.error.message).toBe('Only a completed or cancelled lesson can be reopened.');
      expect((await readSession(fixture, sessionId)).status).toBe(status);
    },
  );
});

describe('reopening', () => {
  test.each(['completed', 'cancelled'] as const)(
    '[SESS-27] a %s session becomes scheduled again with all its fields unchanged',
    async (status) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      const { sessionId } = await addLesson(fixture);
      const before = await readSession(fixture, sessionId);
      if (status === 'completed') await complete(fixture, sessionId, { attendance: 'late' });
      else
        await fixture.browser.call(sessions.cancelSession, {
          params: { id: sessionId },
          body: { cancelledBy: 'carer', reason: 'Ill', chargeFee: true },
        });
      const response = await reopen(fixture, sessionId);
      expect(response.status).toBe(200);
      expect(response.body).toEqual(before);
      expect((await complete(fixture, sessionId)).body.charged).toBe(3500);
    },
  );

  test('returns 409 with the overlaps until they are accepted', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await complete(fixture, sessionId);
    const other = await addLesson(fixture, { startTime: '16:30', endTime: '17:30' });
    const rejected = await reopen(fixture, sessionId);
    expect(rejected.status).toBe(409);
    expect(rejected.error.overlaps).toMatchObject([{ withSessionId: other.sessionId }]);
    expect(await readSession(fixture, sessionId)).toMatchObject({
      status: 'completed',
      charged: 3500,
    });
    expect((await reopen(fixture, sessionId, true)).status).toBe(200);
  });
});

describe('the status of a lesson', () => {
  const readStatus = async (fixture: LessonFixture, id: number) =>
    (await fixture.browser.call(lessons.lesson, { params: { id } })).body.status;

  test('[LESS-45] [LESS-46] is completed if no session is scheduled and at least one is completed', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly({ recurringEndDate: '2026-12-01' }));
    const [one = 0, two = 0, three = 0] = await listSessionIds(fixture);
    expect(await readStatus(fixture, lessonId)).toBe('scheduled');
    await cancel(fixture, one);
    await complete(fixture, two);
    expect(await readStatus(fixture, lessonId)).toBe('scheduled');
    const moved = (await move(fixture, three, '2026-12-03')).body.id;
    expect(await readStatus(fixture, lessonId)).toBe('scheduled');
    await cancel(fixture, moved);
    expect(await readStatus(fixture, lessonId)).toBe('completed');
    const [listed] = (await fixture.browser.call(lessons.listLessons)).body;
    expect(listed).toMatchObject({
      status: 'completed',
      nextSession: null,
      counts: { scheduled: 0, completed: 1, cancelled: 2 },
    });
    await reopen(fixture, two);
    expect(await readStatus(fixture, lessonId)).toBe('scheduled');
  });

  test('[LESS-46] is cancelled if all sessions are cancelled', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly({ recurringEndDate: '2026-11-24' }));
    for (const id of await listSessionIds(fixture)) await cancel(fixture, id);
    expect(await readStatus(fixture, lessonId)).toBe('cancelled');
  });

  test('[LESS-46] stays "scheduled" for an open-ended lesson, whatever the status of its sessions', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(
      fixture,
      weekly({ recurringPattern: 'monthly', recurringEndDate: null }),
    );
    const { body } = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    for (const row of body.upcoming) await cancel(fixture, row.id);
    const after = await fixture.browser.call(lessons.lesson, { params: { id: lessonId } });
    expect(after.body).toMatchObject({ status: 'scheduled', nextSession: null, upcoming: [] });
  });
});

describe('changing the time zone', () => {
  /** Read from the database, because the API only returns local times. */
  const readInstants = async (fixture: LessonFixture) => {
    const { username } = (await fixture.browser.call(accounts.me)).body;
    const tutorId = await findTutorId(app, { username });
    const [rows] = await app.context.db.tutorRead(tutorId, (tx) => [
      tx.selectFrom('sessions').select(['id', 'starts_at', 'ends_at']).orderBy('starts_at'),
    ]);
    return rows.map((row) => [
      row.id,
      row.starts_at.toISOString().slice(0, 16),
      row.ends_at.toISOString().slice(0, 16),
    ]);
  };
  const setTimeZone = async (fixture: LessonFixture, timeZone: string) => {
    const { name, email } = (await fixture.browser.call(accounts.me)).body;
    return fixture.browser.call(accounts.updateMe, { body: { name, email, timeZone } });
  };

  test('keeps the local times of upcoming sessions and the instants of past sessions', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const due = await addLesson(fixture, { date: '2026-11-09' });
    const completed = await addLesson(fixture, { date: '2026-11-10' });
    await complete(fixture, completed.sessionId);
    const next = await addLesson(fixture);
    const summer = await addLesson(fixture, { date: '2027-07-06' });
    const localTimes = [
      await fetchSessionsAsText(fixture),
      await fetchSessionsAsText(fixture, '2027-07-01', '2027-07-31'),
    ];
    expect((await setTimeZone(fixture, 'America/New_York')).status).toBe(200);
    expect([
      await fetchSessionsAsText(fixture),
      await fetchSessionsAsText(fixture, '2027-07-01', '2027-07-31'),
    ]).toEqual(localTimes);
    expect(await readInstants(fixture)).toEqual([
      [due.sessionId, '2026-11-09T16:00', '2026-11-09T17:00'],
      [completed.sessionId, '2026-11-10T16:00', '2026-11-10T17:00'],
      [next.sessionId, '2026-11-17T21:00', '2026-11-17T22:00'],
      [summer.sessionId, '2027-07-06T20:00', '2027-07-06T21:00'],
    ]);
  });

  test('a cancelled session that is reopened afterwards uses the new time zone', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    await cancel(fixture, sessionId);
    await setTimeZone(fixture, 'America/New_York');
    expect((await reopen(fixture, sessionId)).body).toMatchObject({ startTime: '16:00' });
    expect(await readInstants(fixture)).toEqual([
      [sessionId, '2026-11-17T21:00', '2026-11-17T22:00'],
    ]);
  });

  test('succeeds despite adjacent sessions and accepted overlaps', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    await addLesson(fixture, { startTime: '17:00', endTime: '18:00' });
    await addLesson(fixture, { startTime: '17:30', endTime: '18:30', acceptOverlaps: true });
    const before = await fetchSessionsAsText(fixture);
    for (const zone of ['Asia/Tokyo', 'Europe/London', 'Asia/Kathmandu'])
      expect((await setTimeZone(fixture, zone)).status).toBe(200);
    expect(await fetchSessionsAsText(fixture)).toEqual(before);
    const rejected = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, { startTime: '16:30', endTime: '16:45' }),
    });
    expect(rejected.error.code).toBe('overlap');
  });
});
