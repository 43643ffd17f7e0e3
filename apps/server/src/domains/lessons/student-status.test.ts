import { accounts } from '@lessonbook/contract/accounts';
import { type StudentStatusInput, studentStatus } from '@lessonbook/contract/change-student-status';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { studentStatusOn, students } from '@lessonbook/contract/students';
import { timeOff } from '@lessonbook/contract/time-off';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { sessionIdOn } from '../../test/group-lesson-requests.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsAsText,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { extendAllSeries } from './service/rolling-generation.ts';

let app: TestApp;
let maintenance: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  maintenance = new pg.Client(app.urls.maintenanceUrl);
  await maintenance.connect();
});
afterEach(async () => {
  await assertInvariants(app);
  await app.restartClock();
});
afterAll(async () => {
  await maintenance.end();
  await app.close();
});

const send = (fixture: LessonFixture, body: StudentStatusInput, id = fixture.studentId) =>
  fixture.browser.call(studentStatus.changeStudentStatus, { params: { id }, body });
const preview = (fixture: LessonFixture, body: StudentStatusInput) =>
  fixture.browser.call(studentStatus.previewStudentStatus, {
    params: { id: fixture.studentId },
    body,
  });
const setStatus = async (fixture: LessonFixture, body: StudentStatusInput) => {
  const response = await send(fixture, body);
  if (response.status !== 200) throw new Error(response.error.message);
  return response.body;
};
const pause = (fromDate: string, toDate: string | null = null): StudentStatusInput => ({
  status: 'paused',
  fromDate,
  toDate,
});
const toDates = (rows: readonly { date: string }[]) => rows.map(({ date }) => date);
const readStudent = async ({ browser, studentId }: LessonFixture) => {
  const list = (await browser.call(students.listStudents)).body;
  return list.find(({ id }) => id === studentId);
};
const readScheduledDates = async (fixture: LessonFixture) =>
  toDates(
    (await fetchSessionsBetween(fixture, '2026-11-01', '2027-01-31')).filter(
      ({ status }) => status === 'scheduled',
    ),
  );

describe('pausing a student', () => {
  test('F145 cancels the sessions from the first to the last day without a fee, and the preview lists them beforehand', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    await addLesson(fixture, weekly());
    await addLesson(fixture, { studentId: noah.id, date: '2026-11-25' });
    const body = pause('2026-11-24', '2026-12-01');
    const expected = { restored: [], overlaps: [] };
    const before = await fetchSessionsAsText(fixture);
    const shown = (await preview(fixture, body)).body;
    expect([toDates(shown.cancelled), shown]).toMatchObject([
      ['2026-11-24', '2026-12-01'],
      expected,
    ]);
    expect(await fetchSessionsAsText(fixture)).toEqual(before);
    expect(await readStudent(fixture)).toMatchObject({ status: 'active', pause: null });

    const saved = await setStatus(fixture, body);
    expect(saved.cancelled).toEqual(shown.cancelled);
    expect(saved.student).toEqual(shown.student);
    expect(await readScheduledDates(fixture)).toEqual([
      '2026-11-17',
      '2026-11-25',
      '2026-12-08',
      '2026-12-15',
    ]);
    const { body: session } = await fixture.browser.call(sessions.session, {
      params: { id: await sessionIdOn(fixture, '2026-11-24') },
    });
    expect(session).toMatchObject({ status: 'cancelled', cancelledBy: 'tutor', charged: null });

    const student = await readStudent(fixture);
    expect(student).toMatchObject({
      status: 'active',
      pause: { fromDate: '2026-11-24', toDate: '2026-12-01' },
    });
    const statuses = ['2026-11-23', '2026-11-24', '2026-12-01', '2026-12-02'].map(
      (date) => student && studentStatusOn(student, date),
    );
    expect(statuses).toEqual(['active', 'paused', 'paused', 'active']);
  });

  test('F145 repeating the request changes nothing', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const body = pause('2026-11-24');
    const [first, second] = await Promise.all([send(fixture, body), send(fixture, body)]);
    const third = await send(fixture, body);
    const counts = [first, second].map((response) => response.body.cancelled.length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 4]);
    expect(third.body).toMatchObject({ cancelled: [], restored: [] });
    expect(await readScheduledDates(fixture)).toEqual(['2026-11-17']);
  });

  test('F145 resuming restores only sessions that the pause cancelled, from today onwards', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const cancelledId = await sessionIdOn(fixture, '2026-12-08');
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: cancelledId },
      body: { cancelledBy: 'carer' },
    });
    await setStatus(fixture, pause('2026-11-17'));
    expect(await readScheduledDates(fixture)).toEqual([]);
    app.clock.advance({ days: 15 });
    const { restored, student } = await setStatus(fixture, { status: 'active' });
    expect(toDates(restored)).toEqual(['2026-12-01', '2026-12-15']);
    expect(student.pause).toEqual({ fromDate: '2026-11-17', toDate: '2026-11-30' });
    expect(await readScheduledDates(fixture)).toEqual(['2026-12-01', '2026-12-15']);
  });

  test('F145 a pause that has not started is removed, and all its sessions are restored', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    await setStatus(fixture, pause('2026-11-24'));
    const { restored, student } = await setStatus(fixture, { status: 'trial' });
    expect(restored).toHaveLength(4);
    expect([student.status, student.pause]).toEqual(['trial', null]);
    expect(await readScheduledDates(fixture)).toHaveLength(5);
  });

  test("F145 changing the dates restores and cancels only sessions that this affects, and keeps the tutor's later changes", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    await setStatus(fixture, pause('2026-11-24', '2026-12-08'));
    const reopenedId = await sessionIdOn(fixture, '2026-12-01');
    await fixture.browser.call(sessions.reopenSession, { params: { id: reopenedId }, body: {} });
    const changed = await setStatus(fixture, pause('2026-11-30', '2026-12-20'));
    expect([toDates(changed.restored), toDates(changed.cancelled)]).toEqual([
      ['2026-11-24'],
      ['2026-12-15'],
    ]);
    expect(await readScheduledDates(fixture)).toEqual(['2026-11-17', '2026-11-24', '2026-12-01']);
  });

  test('F145 restored sessions that now overlap are accepted and returned', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    await addLesson(fixture, weekly());
    await setStatus(fixture, pause('2026-11-24', '2026-11-24'));
    const other = { studentId: noah.id, title: 'Noah - Art', startTime: '16:30', endTime: '17:30' };
    await addLesson(fixture, { ...other, date: '2026-11-24' });
    const { overlaps, restored } = await setStatus(fixture, { status: 'active' });
    expect(toDates(restored)).toEqual(['2026-11-24']);
    expect(overlaps).toMatchObject([{ date: '2026-11-24', withTitle: 'Noah - Art' }]);
  });

  test("F145 sessions in the tutor's time off stay cancelled after the pause, and vice versa", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    await setStatus(fixture, pause('2026-11-24', '2026-11-30'));
    const off = { fromDate: '2026-11-23', toDate: '2026-12-01' };
    const { body } = await fixture.browser.call(timeOff.createTimeOff, {
      body: { ...off, cancelSessionIds: [await sessionIdOn(fixture, '2026-12-01')] },
    });
    expect((await setStatus(fixture, { status: 'active' })).restored).toEqual([]);
    await setStatus(fixture, pause('2026-12-01', '2026-12-01'));
    const restored = await fixture.browser.call(timeOff.deleteTimeOff, {
      params: { id: body.id },
      query: { restore: 'true' },
    });
    expect(restored.body.restored).toBe(1);
    expect(await readScheduledDates(fixture)).toEqual([
      '2026-11-17',
      '2026-11-24',
      '2026-12-08',
      '2026-12-15',
    ]);
  });

  test("F145 the time-off endpoints list and delete only the tutor's own time off", async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await setStatus(fixture, pause('2026-11-24'));
    expect((await fixture.browser.call(timeOff.listTimeOff)).body).toEqual([]);
    const deleted = await fixture.browser.call(timeOff.deleteTimeOff, {
      params: { id: 1 },
      query: { restore: 'true' },
    });
    expect(deleted.status).toBe(404);
    expect((await readStudent(fixture))?.pause).toMatchObject({ fromDate: '2026-11-24' });
  });
});

describe('sessions that are created during a pause', () => {
  test('F145 a new series is cancelled during the pause, and a one-off lesson is not', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await setStatus(fixture, pause('2026-11-24', '2026-12-01'));
    await addLesson(fixture, weekly());
    await addLesson(fixture, { date: '2026-11-26' });
    const dates = ['2026-11-17', '2026-11-26', '2026-12-08', '2026-12-15'];
    expect(await readScheduledDates(fixture)).toEqual(dates);
    await setStatus(fixture, { status: 'active' });
    expect(await readScheduledDates(fixture)).toHaveLength(6);
  });

  test('F145 sessions that are generated later are cancelled, and restored when the student resumes', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ recurringEndDate: null }));
    await setStatus(fixture, pause('2027-11-01'));
    app.clock.advance({ days: 28 });
    await extendAllSeries(app.context);
    await extendAllSeries(app.context);
    const sessionsNearHorizon = () => fetchSessionsAsText(fixture, '2027-10-26', '2027-12-31');
    const dates = ['11-02', '11-09', '11-16', '11-23', '11-30', '12-07', '12-14'];
    expect(await sessionsNearHorizon()).toEqual([
      '2027-10-26 16:00 scheduled',
      ...dates.map((date) => `2027-${date} 16:00 cancelled`),
    ]);
    await setStatus(fixture, { status: 'active' });
    expect((await sessionsNearHorizon()).every((line) => line.endsWith('scheduled'))).toBe(true);
  });

  test('F145 a pause that starts while sessions are being generated leaves no session scheduled', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly({ recurringEndDate: null }));
    app.clock.advance({ days: 28 });
    await Promise.all([
      extendAllSeries(app.context),
      send(fixture, pause('2027-11-01')),
      extendAllSeries(app.context),
    ]);
    const lines = await fetchSessionsAsText(fixture, '2027-11-01', '2027-12-31');
    expect(lines).toHaveLength(7);
    expect(lines.every((line) => line.endsWith('cancelled'))).toBe(true);
  });

  test('F145 sessions moved into the pause are cancelled, and not restored if another student takes over the series', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const noah = await createStudent(fixture.browser, { name: 'Noah' });
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await setStatus(fixture, pause('2026-11-25', '2026-11-26'));
    const update = (change: object) =>
      fixture.browser.call(lessons.updateLesson, {
        params: { id: lessonId },
        body: { ...lessonBody(fixture, weekly()), scope: 'all', sessionId, ...change },
      });
    expect((await update({ date: '2026-11-18' })).status).toBe(200);
    expect(await readScheduledDates(fixture)).toEqual(['2026-11-18', '2026-12-02', '2026-12-09']);
    const replaced = await update({ date: '2026-11-18', studentId: noah.id });
    expect(replaced.status).toBe(200);
    expect((await setStatus(fixture, { status: 'active' })).restored).toEqual([]);
  });

  test('F145 sessions of a deleted lesson are not restored', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await setStatus(fixture, pause('2026-11-24'));
    await fixture.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'all', sessionId },
    });
    expect((await setStatus(fixture, { status: 'active' })).restored).toEqual([]);
    expect(await readScheduledDates(fixture)).toEqual([]);
  });

  test('F145 restored sessions keep their local time across a clock change and another time zone', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const dates = { date: '2027-03-23', recurringEndDate: '2027-04-06' };
    await addLesson(fixture, weekly({ ...dates, startTime: '06:45', endTime: '07:45' }));
    await setStatus(fixture, pause('2027-03-24', '2027-03-31'));
    const profile = (await fixture.browser.call(accounts.me)).body;
    const changed = await fixture.browser.call(accounts.updateMe, {
      body: { name: profile.name, email: profile.email, timeZone: 'Europe/Berlin' },
    });
    expect(changed.status).toBe(200);
    await setStatus(fixture, { status: 'active' });
    const { rows } = await maintenance.query<{ starts_at: Date }>(
      "select starts_at from sessions where start_time = '06:45' and status = 'scheduled' order by date",
    );
    expect(rows.map(({ starts_at }) => starts_at.toISOString())).toEqual([
      '2027-03-23T05:45:00.000Z',
      '2027-03-30T04:45:00.000Z',
      '2027-04-06T04:45:00.000Z',
    ]);
  });
});

test.each([
  [{ status: 'paused' }, 'fromDate', 'First day is required'],
  [pause('2026-11-20', '2026-11-19'), 'toDate', "The last day can't be before the first day"],
  [pause('2026-11-01', '2026-11-15'), 'toDate', 'The last day is in the past'],
  [pause('2026-11-15'), 'fromDate', 'The first day must be after the previous pause'],
  [{ status: 'left' }, 'status', 'Please choose a status'],
])('F145 %o returns 400 for %s', async (body, field, message) => {
  const fixture = await createTutorWithStudentAndSubject(app);
  await setStatus(fixture, pause('2026-11-01'));
  await setStatus(fixture, { status: 'active' });
  for (const call of [send, preview]) {
    const response = await call(fixture, body as StudentStatusInput);
    expect([response.status, response.error.fields]).toEqual([400, { [field]: message }]);
  }
});
