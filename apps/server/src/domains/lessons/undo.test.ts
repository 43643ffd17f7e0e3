import { invoices } from '@lessonbook/contract/invoices';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createLessonFixture,
  type LessonFixture,
  lessonBody,
  listSessionsBetween,
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

/* What a tutor takes back within a breath: it must be as if it had not happened. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

const read = async (fixture: LessonFixture, id: number) =>
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
const moveBack = (fixture: LessonFixture, id: number) =>
  fixture.browser.call(sessions.undoReschedule, { params: { id } });

describe('a catch-up', () => {
  async function ticked() {
    const { desk: fixture, familyId, children } = await createFamilyFixture(app);
    const ids: number[] = [];
    for (const day of ['09', '10', '11']) {
      const lesson = { studentId: children[0] ?? 0, date: `2026-11-${day}` };
      ids.push((await addLesson(fixture, lesson)).sessionId);
    }
    const before = await Promise.all(ids.map((id) => read(fixture, id)));
    await completeAll(fixture, ids);
    return { desk: fixture, familyId, ids, before };
  }

  test('is taken back as a whole, with its charges and what they had used of the credit', async () => {
    const { desk: fixture, familyId, ids, before } = await ticked();
    await createPayment(fixture.browser, familyId, 4000);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 6500']);
    const answer = await reopenAll(fixture, ids);
    expect([answer.status, answer.body]).toEqual([200, { reopened: 3 }]);
    expect(await Promise.all(ids.map((id) => read(fixture, id)))).toEqual(before);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([
      'GBP in credit 4000',
    ]);
  });

  test('stays as it is where an invoice was issued meanwhile, and the lesson is named', async () => {
    const { desk: fixture, familyId, ids } = await ticked();
    const body = { familyId, from: '2026-11-10', to: '2026-11-10', includeComing: false };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const refused = await reopenAll(fixture, ids);
    expect(refused.status).toBe(409);
    expect(refused.error.message).toMatch(
      /^Nothing was taken back\. .+: This lesson is on an invoice\./,
    );
    for (const id of ids) expect((await read(fixture, id)).status).toBe('completed');
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual(['GBP owes 10500']);
  });

  test('is taken back once, also when it is pressed twice at the same moment', async () => {
    const { desk: fixture, familyId, ids } = await ticked();
    const answers = await Promise.all([reopenAll(fixture, ids), reopenAll(fixture, ids)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
    expect(formatBalances(await readFamily(fixture.browser, familyId))).toEqual([]);
  });

  test('is refused as a whole when one is not in the book', async () => {
    const { desk: fixture, ids } = await ticked();
    expect((await reopenAll(fixture, [...ids, 4711])).status).toBe(404);
    expect((await read(fixture, ids[0] ?? 0)).status).toBe('completed');
  });
});

describe('a move', () => {
  test('is taken back to the very session, in its place of the series', async () => {
    const fixture = await createLessonFixture(app);
    const { lessonId } = await addLesson(fixture, weekly({ recurringEndDate: '2026-12-08' }));
    const [first] = await listSessionsBetween(fixture, '2026-11-17', '2026-11-17');
    const before = await read(fixture, first?.id ?? 0);
    const moved = (await move(fixture, before.id, '2026-11-19')).body;
    const back = await moveBack(fixture, moved.id);
    expect([back.status, back.body]).toEqual([200, before]);
    expect(await read(fixture, moved.id)).toMatchObject({
      status: 'rescheduled',
      rescheduledToSessionId: before.id,
    });
    // It goes with its series again, as if it had never been moved.
    const answer = await fixture.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(fixture, weekly({ recurringEndDate: '2026-12-08' })),
        startTime: '17:00',
        endTime: '18:00',
        scope: 'all',
        sessionId: before.id,
      },
    });
    expect(answer.status).toBe(200);
    expect((await read(fixture, before.id)).startTime).toBe('17:00');
  });

  test('a one-time lesson is where it was, and so is what was charged ahead', async () => {
    const { desk: fixture, familyId, children } = await createFamilyFixture(app);
    const lesson = { studentId: children[0] ?? 0, date: '2026-11-20' };
    const { lessonId, sessionId } = await addLesson(fixture, lesson);
    const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeComing: true };
    const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body })).body;
    await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const before = await read(fixture, sessionId);
    expect(before.charged).toBe(3500);
    const moved = (await move(fixture, sessionId, '2026-11-21')).body;
    expect((await moveBack(fixture, moved.id)).body).toEqual(before);
    expect((await read(fixture, moved.id)).charged).toBeNull();
    const page = (await fixture.browser.call(lessons.lesson, { params: { id: lessonId } })).body;
    expect([page.date, page.startTime]).toEqual(['2026-11-20', '16:00']);
  });

  test('what has taken its old time meanwhile is accepted beside it', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture);
    const moved = (await move(fixture, sessionId, '2026-11-19')).body;
    await addLesson(fixture);
    expect((await moveBack(fixture, moved.id)).status).toBe(200);
  });

  test('is not taken back once more has happened, and not twice', async () => {
    const fixture = await createLessonFixture(app);
    const { sessionId } = await addLesson(fixture);
    expect((await moveBack(fixture, sessionId)).error.message).toBe(
      'This session was not moved here from another time.',
    );
    const moved = (await move(fixture, sessionId, '2026-11-19')).body;
    await fixture.browser.call(sessions.completeSession, { params: { id: moved.id }, body: {} });
    expect((await moveBack(fixture, moved.id)).status).toBe(409);
    await reopenAll(fixture, [moved.id]);
    const answers = await Promise.all([moveBack(fixture, moved.id), moveBack(fixture, moved.id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
    // And it can be moved again.
    expect((await move(fixture, sessionId, '2026-11-24')).status).toBe(200);
  });
});

test('time off that was removed by mistake is taken again, with what it had called off', async () => {
  const fixture = await createLessonFixture(app);
  const { sessionId } = await addLesson(fixture, { date: '2026-11-18' });
  const range = { fromDate: '2026-11-18', toDate: '2026-11-20' };
  const take = (cancelSessionIds: number[]) =>
    fixture.browser.call(timeOff.createTimeOff, { body: { ...range, cancelSessionIds } });
  const { id } = (await take([sessionId])).body;
  const before = await read(fixture, sessionId);
  const removed = await fixture.browser.call(timeOff.deleteTimeOff, {
    params: { id },
    query: { restore: 'true' },
  });
  expect(removed.body.sessionIds).toEqual([sessionId]);
  expect((await read(fixture, sessionId)).status).toBe('scheduled');
  expect((await take(removed.body.sessionIds)).body.cancelled).toBe(1);
  expect(await read(fixture, sessionId)).toEqual(before);
});
