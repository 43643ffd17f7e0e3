import { invoices } from '@lessonbook/contract/invoices';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
  lessonBody,
  weekly,
} from '../../test/lesson-fixture.ts';
import {
  assertInvariants,
  createFamilyFixture,
  createPayment,
  formatBalances,
  readFamily,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/* An undo must restore the previous state completely. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;
const reopenAll = (fixture: LessonFixture, ids: number[]) =>
  fixture.browser.call(sessions.reopenSessions, { body: { ids } });
const completeAll = (fixture: LessonFixture, ids: number[]) =>
  fixture.browser.call(sessions.completeSessions, {
    body: { sessions: ids.map((id) => ({ id })) },
  });
const move = (fixture: LessonFixture, id: number, date: string, startTime = '10:00') =>
  fixture.browser.call(sessions.rescheduleSession, {
    params: { id },
    body: { date, startTime, endTime: '11:30' },
  });
const undoMove = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.undoReschedule, { params: { id } });

describe('undoing a batch completion', () => {
  async function completeThree() {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const ids: number[] = [];
    for (const day of ['09', '10', '11']) {
      const lesson = { studentId: children[0] ?? 0, date: `2026-11-${day}` };
      ids.push((await addLesson(fixture, lesson)).sessionId);
    }
    const before = await Promise.all(ids.map((id) => readSession(fixture, id)));
    await completeAll(fixture, ids);
    return { fixture, familyId, ids, before };
  }

  test('reopens all sessions, reverses their charges and releases the allocated credit', async () => {
    const { fixture, familyId, ids, before } = await completeThree();
    await createPayment(fixture.browser, familyId, 4000);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 6500']);
    const response = await reopenAll(fixture, ids);
    expect([response.status, response.body]).toEqual([200, { reopened: 3 }]);
    expect(await Promise.all(ids.map((id) => readSession(fixture, id)))).toEqual(before);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 4000',
    ]);
  });

  test('returns 409 and names the lesson if an invoice was issued in the meantime', async () => {
    const { fixture, familyId, ids } = await completeThree();
    const body = { familyId, from: '2026-11-10', to: '2026-11-10', includeUpcoming: false };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const rejected = await reopenAll(fixture, ids);
    expect(rejected.status).toBe(409);
    expect(rejected.error.message).toMatch(
      /^Nothing was reopened\. .+: This lesson is on an invoice\./,
    );
    for (const id of ids) expect((await readSession(fixture, id)).status).toBe('completed');
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 10500']);
  });

  test('takes effect once if requested twice concurrently', async () => {
    const { fixture, familyId, ids } = await completeThree();
    const responses = await Promise.all([reopenAll(fixture, ids), reopenAll(fixture, ids)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([]);
  });

  test('returns 404 and reopens nothing if one session does not exist', async () => {
    const { fixture, ids } = await completeThree();
    expect((await reopenAll(fixture, [...ids, 4711])).status).toBe(404);
    expect((await readSession(fixture, ids[0] ?? 0)).status).toBe('completed');
  });
});

describe('undoing a reschedule', () => {
  test('restores the original session in its series', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { lessonId } = await addLesson(fixture, weekly({ recurringEndDate: '2026-12-08' }));
    const [first] = await fetchSessionsBetween(fixture, '2026-11-17', '2026-11-17');
    const before = await readSession(fixture, first?.id ?? 0);
    const moved = (await move(fixture, before.id, '2026-11-19')).body;
    const undone = await undoMove(fixture, moved.id);
    expect([undone.status, undone.body]).toEqual([200, before]);
    expect(await readSession(fixture, moved.id)).toMatchObject({
      status: 'rescheduled',
      rescheduledToSessionId: before.id,
    });
    // Changes to the series apply to the session again.
    const response = await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(fixture, weekly({ recurringEndDate: '2026-12-08' })),
        startTime: '17:00',
        endTime: '18:00',
        scope: 'all',
        sessionId: before.id,
      },
    });
    expect(response.status).toBe(200);
    expect((await readSession(fixture, before.id)).startTime).toBe('17:00');
  });

  test('restores a one-off lesson and moves the prepaid charge back', async () => {
    const { fixture, familyId, children } = await createFamilyFixture(app);
    const lesson = { studentId: children[0] ?? 0, date: '2026-11-20' };
    const { lessonId, sessionId } = await addLesson(fixture, lesson);
    const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: true };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const before = await readSession(fixture, sessionId);
    expect(before.charged).toBe(3500);
    const moved = (await move(fixture, sessionId, '2026-11-21')).body;
    expect((await undoMove(fixture, moved.id)).body).toEqual(before);
    expect((await readSession(fixture, moved.id)).charged).toBeNull();
    const page = (await fixture.browser.call(lessons.lesson, { params: { id: lessonId } })).body;
    expect([page.date, page.startTime]).toEqual(['2026-11-20', '16:00']);
  });

  test('accepts overlaps with a lesson added at the old time in the meantime', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    const moved = (await move(fixture, sessionId, '2026-11-19')).body;
    await addLesson(fixture);
    expect((await undoMove(fixture, moved.id)).status).toBe(200);
  });

  test('returns 409 if the session was not moved, has changed since, or was already moved back', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture);
    expect((await undoMove(fixture, sessionId)).error.message).toBe(
      "This lesson wasn't moved from another time.",
    );
    const moved = (await move(fixture, sessionId, '2026-11-19')).body;
    await fixture.browser.call(sessions.completeSession, { params: { id: moved.id }, body: {} });
    expect((await undoMove(fixture, moved.id)).status).toBe(409);
    await reopenAll(fixture, [moved.id]);
    const responses = await Promise.all([undoMove(fixture, moved.id), undoMove(fixture, moved.id)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    // The session can be moved again.
    expect((await move(fixture, sessionId, '2026-11-24')).status).toBe(200);
  });
});

test('time off deleted by mistake can be created again with the sessions it had cancelled', async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { sessionId } = await addLesson(fixture, { date: '2026-11-18' });
  const range = { fromDate: '2026-11-18', toDate: '2026-11-20' };
  const createTimeOff = (cancelSessionIds: number[]) =>
    fixture.browser.call(timeOff.createTimeOff, { body: { ...range, cancelSessionIds } });
  const { id } = (await createTimeOff([sessionId])).body;
  const before = await readSession(fixture, sessionId);
  const removed = await fixture.browser.call(timeOff.deleteTimeOff, {
    params: { id },
    query: { restore: 'true' },
  });
  expect(removed.body.sessionIds).toEqual([sessionId]);
  expect((await readSession(fixture, sessionId)).status).toBe('scheduled');
  expect((await createTimeOff(removed.body.sessionIds)).body.restorableSessions).toBe(1);
  expect(await readSession(fixture, sessionId)).toEqual(before);
});

test('F116 a batch sent twice with the same key is completed once, and the error for a rejected batch names the lesson', async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  await addLesson(fixture, weekly());
  const rows = await fetchSessionsBetween(fixture, '2026-11-01', '2027-01-31');
  const [one = 0, two = 0, three = 0] = rows.map(({ id }) => id);
  const body = { sessions: [{ id: one }, { id: two }] };
  const complete = () =>
    fixture.browser.send('POST', '/api/sessions/complete', body, {
      'idempotency-key': 'complete-twice',
    });
  const replies = await Promise.all([complete(), complete()]);
  expect(replies.map((reply) => [reply.status, reply.body])).toEqual([
    [200, { completed: 2 }],
    [200, { completed: 2 }],
  ]);
  const refused = await completeAll(fixture, [two, three]);
  expect(refused.status).toBe(409);
  expect(refused.error.message).toMatch(
    /^Nothing was completed\. Maya Okafor - Maths is .*completed\.$/,
  );
  expect((await readSession(fixture, three)).status).toBe('scheduled');
});
