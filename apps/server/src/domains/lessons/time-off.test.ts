import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { type TimeOffInput, timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

type TimeOffBody = Partial<TimeOffInput> & { fromDate: string; toDate: string };

/** The week of 23 November. The weekly lesson falls on the Tuesday. */
const week: TimeOffBody = { fromDate: '2026-11-23', toDate: '2026-11-29' };

const preview = async (fixture: LessonFixture, body: TimeOffBody) =>
  (await fixture.browser.call(timeOff.previewTimeOff, { body })).body;
const createTimeOff = (fixture: LessonFixture, body: TimeOffBody) =>
  fixture.browser.call(timeOff.createTimeOff, { body });
const deleteTimeOff = (fixture: LessonFixture, id: number, restore?: 'true' | 'false') =>
  fixture.browser.call(timeOff.deleteTimeOff, {
    params: { id },
    query: restore ? { restore } : {},
  });
const listTimeOff = async (fixture: LessonFixture) =>
  (await fixture.browser.call(timeOff.listTimeOff)).body;

/** Cancels every session in the range, as the dialog does when all rows are selected. */
async function createTimeOffForAll(
  fixture: LessonFixture,
  body: TimeOffBody = week,
): Promise<number> {
  const inRange = await preview(fixture, body);
  const saved = await createTimeOff(fixture, {
    ...body,
    cancelSessionIds: inRange.map((row) => row.id),
  });
  if (saved.status !== 201) throw new Error(saved.error.message);
  return saved.body.id;
}

describe('creating time off', () => {
  test('the preview returns the scheduled sessions in the range and changes nothing', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    await addLesson(fixture, { date: '2026-11-29', startTime: '09:00', endTime: '10:00' });
    await addLesson(fixture, { date: '2026-11-30', startTime: '09:00', endTime: '10:00' });
    const completed = await addLesson(fixture, { date: '2026-11-25' });
    await fixture.browser.call(sessions.completeSession, {
      params: { id: completed.sessionId },
      body: {},
    });
    const before = await fetchSessionsAsText(fixture);
    const rows = await preview(fixture, week);
    expect(rows.map((row) => [row.date, row.startTime, row.studentName])).toEqual([
      ['2026-11-24', '16:00', 'Maya Okafor'],
      ['2026-11-29', '09:00', 'Maya Okafor'],
    ]);
    expect(await fetchSessionsAsText(fixture)).toEqual(before);
    expect(await listTimeOff(fixture)).toEqual([]);
  });

  test('with hours, covers only sessions that overlap those hours, not adjacent ones', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (const [startTime, endTime] of [
      ['08:00', '09:00'],
      ['09:00', '10:00'],
      ['11:30', '12:30'],
      ['13:00', '14:00'],
    ] as const)
      await addLesson(fixture, { date: '2026-11-24', startTime, endTime });
    const morning = { ...week, startTime: '09:00', endTime: '12:00' };
    expect((await preview(fixture, morning)).map((row) => row.startTime)).toEqual([
      '09:00',
      '11:30',
    ]);
    await createTimeOffForAll(fixture, morning);
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-24 08:00 scheduled',
      '2026-11-24 09:00 cancelled',
      '2026-11-24 11:30 cancelled',
      '2026-11-24 13:00 scheduled',
    ]);
  });

  test('cancels the selected sessions without a fee and leaves the others unchanged', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const one = await addLesson(fixture, { date: '2026-11-24' });
    const two = await addLesson(fixture, { date: '2026-11-25' });
    const saved = await createTimeOff(fixture, {
      ...week,
      reason: 'Half-term',
      cancelSessionIds: [one.sessionId],
    });
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      id: saved.body.id,
      ...week,
      startTime: null,
      endTime: null,
      reason: 'Half-term',
      restorableSessions: 1,
    });
    expect(await listTimeOff(fixture)).toEqual([saved.body]);
    const read = async (id: number) =>
      (await fixture.browser.call(sessions.session, { params: { id } })).body;
    expect(await read(one.sessionId)).toMatchObject({
      status: 'cancelled',
      cancelledBy: 'tutor',
      charged: null,
    });
    expect((await read(two.sessionId)).status).toBe('scheduled');
  });

  test('returns 409 if a session has been moved since the preview', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const one = await addLesson(fixture, { date: '2026-11-24' });
    const two = await addLesson(fixture, { date: '2026-11-25' });
    const cancelSessionIds = (await preview(fixture, week)).map((row) => row.id);
    await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: two.sessionId },
      body: { date: '2026-12-02', startTime: '16:00', endTime: '17:00' },
    });
    const rejected = await createTimeOff(fixture, { ...week, cancelSessionIds });
    expect(rejected.status).toBe(409);
    expect(rejected.error.message).toBe(
      'The lessons in this period have changed. Please check again.',
    );
    expect(await listTimeOff(fixture)).toEqual([]);
    const { body } = await fixture.browser.call(sessions.session, {
      params: { id: one.sessionId },
    });
    expect(body.status).toBe('scheduled');
  });

  test('returns 409 for a session outside the range', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    expect((await createTimeOff(fixture, { ...week, cancelSessionIds: [sessionId] })).status).toBe(
      409,
    );
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-17 16:00 scheduled']);
  });

  test('repeated requests with the same idempotency key create the time off once', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { date: '2026-11-24' });
    const body = { ...week, cancelSessionIds: [sessionId] };
    const send = () =>
      fixture.browser.send('POST', '/api/time-off', body, { 'idempotency-key': 'half-term-once' });
    const responses = await Promise.all([send(), send(), send()]);
    expect(responses.map((response) => response.status)).toEqual([201, 201, 201]);
    expect(await listTimeOff(fixture)).toHaveLength(1);
  });

  test.each([
    ['fromDate', { fromDate: '' }, 'First day is required'],
    ['toDate', { toDate: undefined }, 'Last day is required'],
    ['toDate', { toDate: '2026-11-31' }, 'Please choose a date'],
    ['toDate', { toDate: '2026-11-22' }, "The last day can't be before the first day"],
    ['endTime', { startTime: '09:00' }, 'Please enter both times, or neither'],
    ['startTime', { endTime: '09:00' }, 'Please enter both times, or neither'],
    ['endTime', { startTime: '09:00', endTime: '09:00' }, 'End time must be after start time'],
    ['startTime', { startTime: '9', endTime: '10:00' }, 'Please enter a time as HH:MM'],
    ['reason', { reason: 'x'.repeat(201) }, 'Please use at most 200 characters'],
  ])(
    'returns 400 with a message for an invalid %s, in the preview and when saving',
    async (field, change, message) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      for (const path of ['/api/time-off/preview', '/api/time-off']) {
        const response = await fixture.browser.send('POST', path, { ...week, ...change });
        expect(response.status).toBe(400);
        expect(response.error.fields).toEqual({ [field]: message });
      }
      expect(await listTimeOff(fixture)).toEqual([]);
    },
  );

  test("the list omits time off that has ended in the tutor's time zone", async () => {
    const london = await createTutorWithStudentAndSubject(app);
    const auckland = await createTutorWithStudentAndSubject(app, 'Pacific/Auckland');
    for (const fixture of [london, auckland])
      await createTimeOff(fixture, { fromDate: '2026-11-10', toDate: '2026-11-16' });
    expect(await listTimeOff(london)).toHaveLength(1);
    expect(await listTimeOff(auckland)).toEqual([]);
  });
});

describe('a series created after the time off', () => {
  test('has cancelled sessions during the time off and scheduled sessions otherwise', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const id = await createTimeOffForAll(fixture);
    await addLesson(fixture, weekly({ recurringEndDate: '2026-12-01' }));
    expect(await fetchSessionsAsText(fixture)).toEqual([
      '2026-11-17 16:00 scheduled',
      '2026-11-24 16:00 cancelled',
      '2026-12-01 16:00 scheduled',
    ]);
    expect(await listTimeOff(fixture)).toMatchObject([{ id, restorableSessions: 1 }]);
    expect((await deleteTimeOff(fixture, id, 'true')).body).toMatchObject({
      restored: 1,
      overlaps: [],
    });
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-24 16:00 scheduled');
  });

  test('F132 skips the time off, and the preview and the response list the skipped dates', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await createTimeOffForAll(fixture);
    const body = lessonBody(fixture, weekly());
    const planned = await fixture.browser.call(lessons.previewNewLesson, { body });
    expect(planned.body.skipped.map(({ date }) => date)).toEqual(['2026-11-24']);
    const saved = await fixture.browser.call(lessons.createLesson, { body });
    const [session] = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
    expect(saved.body.consequences.skipped).toEqual([
      { sessionId: session?.id, date: '2026-11-24' },
    ]);
    expect(session?.status).toBe('cancelled');
  });

  test('is not affected if its sessions are outside the hours of the time off', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await createTimeOffForAll(fixture, { ...week, startTime: '09:00', endTime: '12:00' });
    await addLesson(fixture, weekly({ recurringEndDate: '2026-11-24' }));
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-24 16:00 scheduled');
  });

  test('has sessions cancelled that are moved into the time off', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    await createTimeOff(fixture, { fromDate: '2026-11-26', toDate: '2026-11-26' });
    const body: LessonUpdate = {
      ...(lessonBody(fixture, weekly({ recurringEndDate: '2026-12-17' })) as LessonUpdate),
      date: '2026-11-19',
      scope: 'all',
      sessionId,
    };
    const saved = await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body,
    });
    expect(saved.status).toBe(200);
    expect(saved.body.consequences.skipped.map(({ date }) => date)).toEqual(['2026-11-26']);
    expect((await fetchSessionsAsText(fixture)).slice(0, 3)).toEqual([
      '2026-11-19 16:00 scheduled',
      '2026-11-26 16:00 cancelled',
      '2026-12-03 16:00 scheduled',
    ]);
  });

  test('a one-off lesson during the time off is not cancelled', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await createTimeOffForAll(fixture);
    await addLesson(fixture, { date: '2026-11-25' });
    expect(await fetchSessionsAsText(fixture)).toEqual(['2026-11-25 16:00 scheduled']);
  });
});

describe('the list of time off', () => {
  test('F64 for a date range contains past, current and future time off that overlaps the range', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const entries = [
      { fromDate: '2026-10-26', toDate: '2026-11-01', reason: 'Half-term' },
      { fromDate: '2026-11-19', toDate: '2026-11-19', startTime: '13:00', endTime: '15:45' },
      { fromDate: '2026-12-20', toDate: '2027-01-03' },
    ];
    for (const entry of entries) await createTimeOff(fixture, entry);
    const list = async (from: string, to: string) =>
      (await fixture.browser.call(timeOff.listTimeOff, { query: { from, to } })).body.map(
        ({ fromDate }) => fromDate,
      );
    expect(await list('2026-11-01', '2026-11-30')).toEqual(['2026-10-26', '2026-11-19']);
    expect(await list('2026-12-31', '2027-01-31')).toEqual(['2026-12-20']);
    expect(await list('2027-01-04', '2027-01-31')).toEqual([]);
    expect((await listTimeOff(fixture)).map(({ fromDate }) => fromDate)).toEqual([
      '2026-11-19',
      '2026-12-20',
    ]);
  });

  test('rejects a range of more than 100 days, or one that ends before it starts', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    for (const query of [
      { from: '2026-01-01', to: '2026-12-31' },
      { from: '2026-11-30', to: '2026-11-01' },
    ]) {
      expect((await fixture.browser.call(timeOff.listTimeOff, { query })).status).toBe(400);
    }
  });
});

describe('deleting time off', () => {
  test('restores the sessions that the time off cancelled', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const id = await createTimeOffForAll(fixture);
    const response = await deleteTimeOff(fixture, id, 'true');
    expect(response.body).toMatchObject({ restored: 1, overlaps: [] });
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-24 16:00 scheduled');
    expect(await listTimeOff(fixture)).toEqual([]);
    const [row] = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
    const { body } = await fixture.browser.call(sessions.session, { params: { id: row?.id ?? 0 } });
    expect(body).toMatchObject({ cancelledBy: null, cancelReason: null });
  });

  test.each([undefined, 'false'] as const)(
    'leaves them cancelled if restore is %s',
    async (restore) => {
      const fixture = await createTutorWithStudentAndSubject(app);
      await addLesson(fixture, weekly());
      const id = await createTimeOffForAll(fixture);
      expect((await deleteTimeOff(fixture, id, restore)).body).toEqual({
        restored: 0,
        sessionIds: [],
        overlaps: [],
      });
      expect(await fetchSessionsAsText(fixture)).toContain('2026-11-24 16:00 cancelled');
      expect(await listTimeOff(fixture)).toEqual([]);
    },
  );

  test('restores sessions that now overlap and returns the overlaps', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const id = await createTimeOffForAll(fixture);
    const other = await addLesson(fixture, { date: '2026-12-02', title: 'Noah - Art' });
    const moved = await fixture.browser.call(sessions.rescheduleSession, {
      params: { id: other.sessionId },
      body: { date: '2026-11-24', startTime: '16:30', endTime: '17:30' },
    });
    const response = await deleteTimeOff(fixture, id, 'true');
    expect(response.body).toMatchObject({
      restored: 1,
      overlaps: [
        {
          date: '2026-11-24',
          startTime: '16:00',
          withSessionId: moved.body.id,
          withTitle: 'Maya Okafor - Noah - Art',
        },
      ],
    });
    expect(await fetchSessionsAsText(fixture, '2026-11-24', '2026-11-24')).toEqual([
      '2026-11-24 16:00 scheduled',
      '2026-11-24 16:30 scheduled',
    ]);
  });

  test('does not restore sessions cancelled for another reason', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const other = await addLesson(fixture, { date: '2026-11-25' });
    await fixture.browser.call(sessions.cancelSession, {
      params: { id: other.sessionId },
      body: { cancelledBy: 'carer' },
    });
    const id = await createTimeOffForAll(fixture);
    expect((await deleteTimeOff(fixture, id, 'true')).body.restored).toBe(1);
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-25 16:00 cancelled');
  });

  test('does not restore sessions of a lesson deleted in the meantime', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId, sessionId } = await addLesson(fixture, weekly());
    const id = await createTimeOffForAll(fixture);
    await fixture.browser.call(lessons.deleteLesson, {
      params: { id: lessonId },
      query: { scope: 'all', sessionId },
    });
    expect((await deleteTimeOff(fixture, id, 'true')).body).toEqual({
      restored: 0,
      sessionIds: [],
      overlaps: [],
    });
    expect(await fetchSessionsAsText(fixture)).toEqual([]);
  });

  test('does not restore sessions of a student archived in the meantime', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const id = await createTimeOffForAll(fixture);
    await fixture.browser.call(students.deleteStudent, { params: { id: fixture.studentId } });
    expect((await deleteTimeOff(fixture, id, 'true')).body).toEqual({
      restored: 0,
      sessionIds: [],
      overlaps: [],
    });
    expect(await fetchSessionsAsText(fixture)).toEqual([]);
  });

  test('does not restore sessions covered by other time off', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture, weekly());
    const id = await createTimeOffForAll(fixture);
    await createTimeOff(fixture, {
      fromDate: '2026-11-24',
      toDate: '2026-11-24',
      reason: 'Dentist',
    });
    expect((await deleteTimeOff(fixture, id, 'true')).body.restored).toBe(0);
    expect(await fetchSessionsAsText(fixture)).toContain('2026-11-24 16:00 cancelled');
  });

  test('returns 404 for an unknown id', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const response = await deleteTimeOff(fixture, 7, 'true');
    expect(response.status).toBe(404);
    expect(response.error.message).toBe("We couldn't find that time off.");
  });
});
