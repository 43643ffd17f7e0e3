import { invoices } from '@lessonbook/contract/invoices';
import { lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../test/house.ts';
import { account, inShort, mustBalance, openFamily, paid } from '../../test/money.ts';
import {
  addLesson,
  type Desk,
  lessonBody,
  openDesk,
  rowsBetween,
  weekly,
} from '../../test/teaching.ts';

/* What a tutor takes back within a breath: it must be as if it had not happened. */

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(async () => {
  await mustBalance(house);
  await house.close();
});

const read = async (desk: Desk, id: number) =>
  (await desk.browser.call(sessions.session, { params: { id } })).body;
const reopenAll = (desk: Desk, ids: number[]) =>
  desk.browser.call(sessions.reopenSessions, { body: { ids } });
const completeAll = (desk: Desk, ids: number[]) =>
  desk.browser.call(sessions.completeSessions, { body: { sessions: ids.map((id) => ({ id })) } });
const move = (desk: Desk, id: number, date: string, startTime = '10:00') =>
  desk.browser.call(sessions.rescheduleSession, {
    params: { id },
    body: { date, startTime, endTime: '11:30' },
  });
const moveBack = (desk: Desk, id: number) =>
  desk.browser.call(sessions.moveSessionBack, { params: { id } });

describe('a catch-up', () => {
  async function ticked() {
    const { desk, familyId, children } = await openFamily(house);
    const ids: number[] = [];
    for (const day of ['09', '10', '11']) {
      const lesson = { studentId: children[0] ?? 0, date: `2026-11-${day}` };
      ids.push((await addLesson(desk, lesson)).sessionId);
    }
    const before = await Promise.all(ids.map((id) => read(desk, id)));
    await completeAll(desk, ids);
    return { desk, familyId, ids, before };
  }

  test('is taken back as a whole, with its charges and what they had used of the credit', async () => {
    const { desk, familyId, ids, before } = await ticked();
    await paid(desk.browser, familyId, 4000);
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP owes 6500']);
    const answer = await reopenAll(desk, ids);
    expect([answer.status, answer.body]).toEqual([200, { reopened: 3 }]);
    expect(await Promise.all(ids.map((id) => read(desk, id)))).toEqual(before);
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP in credit 4000']);
  });

  test('stays as it is where an invoice was issued meanwhile, and the lesson is named', async () => {
    const { desk, familyId, ids } = await ticked();
    const body = { familyId, from: '2026-11-10', to: '2026-11-10', includeComing: false };
    const [draft] = (await desk.browser.call(invoices.draftInvoice, { body })).body;
    await desk.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const refused = await reopenAll(desk, ids);
    expect(refused.status).toBe(409);
    expect(refused.error.message).toMatch(
      /^Nothing was taken back\. .+: This lesson is on an invoice\./,
    );
    for (const id of ids) expect((await read(desk, id)).status).toBe('completed');
    expect(inShort(await account(desk.browser, familyId))).toEqual(['GBP owes 10500']);
  });

  test('is taken back once, also when it is pressed twice at the same moment', async () => {
    const { desk, familyId, ids } = await ticked();
    const answers = await Promise.all([reopenAll(desk, ids), reopenAll(desk, ids)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
    expect(inShort(await account(desk.browser, familyId))).toEqual([]);
  });

  test('is refused as a whole when one is not in the book', async () => {
    const { desk, ids } = await ticked();
    expect((await reopenAll(desk, [...ids, 4711])).status).toBe(404);
    expect((await read(desk, ids[0] ?? 0)).status).toBe('completed');
  });
});

describe('a move', () => {
  test('is taken back to the very session, in its place of the series', async () => {
    const desk = await openDesk(house);
    const { lessonId } = await addLesson(desk, weekly({ recurringEndDate: '2026-12-08' }));
    const [first] = await rowsBetween(desk, '2026-11-17', '2026-11-17');
    const before = await read(desk, first?.id ?? 0);
    const moved = (await move(desk, before.id, '2026-11-19')).body;
    const back = await moveBack(desk, moved.id);
    expect([back.status, back.body]).toEqual([200, before]);
    expect(await read(desk, moved.id)).toMatchObject({
      status: 'rescheduled',
      rescheduledToSessionId: before.id,
    });
    // It goes with its series again, as if it had never been moved.
    const answer = await desk.browser.call(lessons.updateLesson, {
      params: { id: lessonId },
      body: {
        ...lessonBody(desk, weekly({ recurringEndDate: '2026-12-08' })),
        startTime: '17:00',
        endTime: '18:00',
        scope: 'all',
        sessionId: before.id,
      },
    });
    expect(answer.status).toBe(200);
    expect((await read(desk, before.id)).startTime).toBe('17:00');
  });

  test('a one-time lesson is where it was, and so is what was charged ahead', async () => {
    const { desk, familyId, children } = await openFamily(house);
    const lesson = { studentId: children[0] ?? 0, date: '2026-11-20' };
    const { lessonId, sessionId } = await addLesson(desk, lesson);
    const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeComing: true };
    const [draft] = (await desk.browser.call(invoices.draftInvoice, { body })).body;
    await desk.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
    const before = await read(desk, sessionId);
    expect(before.charged).toBe(3500);
    const moved = (await move(desk, sessionId, '2026-11-21')).body;
    expect((await moveBack(desk, moved.id)).body).toEqual(before);
    expect((await read(desk, moved.id)).charged).toBeNull();
    const page = (await desk.browser.call(lessons.lesson, { params: { id: lessonId } })).body;
    expect([page.date, page.startTime]).toEqual(['2026-11-20', '16:00']);
  });

  test('what has taken its old time meanwhile is accepted beside it', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk);
    const moved = (await move(desk, sessionId, '2026-11-19')).body;
    await addLesson(desk);
    expect((await moveBack(desk, moved.id)).status).toBe(200);
  });

  test('is not taken back once more has happened, and not twice', async () => {
    const desk = await openDesk(house);
    const { sessionId } = await addLesson(desk);
    expect((await moveBack(desk, sessionId)).error.message).toBe(
      'This session was not moved here from another time.',
    );
    const moved = (await move(desk, sessionId, '2026-11-19')).body;
    await desk.browser.call(sessions.completeSession, { params: { id: moved.id }, body: {} });
    expect((await moveBack(desk, moved.id)).status).toBe(409);
    await reopenAll(desk, [moved.id]);
    const answers = await Promise.all([moveBack(desk, moved.id), moveBack(desk, moved.id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
    // And it can be moved again.
    expect((await move(desk, sessionId, '2026-11-24')).status).toBe(200);
  });
});

test('time off that was removed by mistake is taken again, with what it had called off', async () => {
  const desk = await openDesk(house);
  const { sessionId } = await addLesson(desk, { date: '2026-11-18' });
  const range = { fromDate: '2026-11-18', toDate: '2026-11-20' };
  const take = (cancelSessionIds: number[]) =>
    desk.browser.call(timeOff.createTimeOff, { body: { ...range, cancelSessionIds } });
  const { id } = (await take([sessionId])).body;
  const before = await read(desk, sessionId);
  const removed = await desk.browser.call(timeOff.deleteTimeOff, {
    params: { id },
    query: { restore: 'true' },
  });
  expect(removed.body.sessionIds).toEqual([sessionId]);
  expect((await read(desk, sessionId)).status).toBe('scheduled');
  expect((await take(removed.body.sessionIds)).body.cancelled).toBe(1);
  expect(await read(desk, sessionId)).toEqual(before);
});
