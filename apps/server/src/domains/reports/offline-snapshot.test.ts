import { accounts } from '@lessonbook/contract/accounts';
import { type OfflineSnapshot, offline } from '@lessonbook/contract/offline-snapshot';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { newStudent } from '../../test/factories.ts';
import { addLesson, createLessonFixture } from '../../test/lesson-fixture.ts';
import { createPayment, createTaughtLesson } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const readSnapshot = async (browser: Browser): Promise<OfflineSnapshot> =>
  (await browser.call(offline.offlineSnapshot)).body;

test('a new tutor has an empty one, by the tutor’s own calendar', async () => {
  const { browser } = await createLessonFixture(app, 'Pacific/Auckland');
  const { body: me } = await browser.call(accounts.me);
  expect(await readSnapshot(browser)).toEqual({
    owner: me.id,
    revision: me.revision,
    asOf: '2026-11-16T12:00:00.000Z',
    timeZone: 'Pacific/Auckland',
    from: '2026-11-17',
    to: '2026-11-30',
    sessions: [],
    balances: [],
  });
});

test('fourteen days of lessons with first names, and balances; a word in any other field stays at home', async () => {
  const fixture = await createLessonFixture(app);
  const { browser } = fixture;
  const secret = (what: string) => `Canary${what}`;
  const maya = await newStudent(browser, {
    name: `Maya ${secret('Surname')}`,
    phone: '+44 7700 900123',
    email: `${secret('mail')}@example.com`,
    subject: secret('OwnSubject'),
    notes: secret('Notes'),
    carerName: `Ruth ${secret('CarerSurname')}`,
    carerRelationship: secret('Relationship'),
    carerPhone: '+44 7700 900456',
    carerEmail: `${secret('carermail')}@example.com`,
  });
  const lesson = {
    studentId: maya.id,
    title: secret('Title'),
    notes: secret('LessonNotes'),
    place: secret('Place'),
  };
  await addLesson(fixture, { ...lesson, date: '2026-11-15' });
  const first = await addLesson(fixture, {
    ...lesson,
    date: '2026-11-16',
    startTime: '18:00',
    endTime: '19:00',
  });
  await addLesson(fixture, { ...lesson, date: '2026-11-29', startTime: '09:00', endTime: '10:00' });
  await addLesson(fixture, { ...lesson, date: '2026-11-30' });
  await browser.call(sessions.cancelSession, {
    params: { id: first.sessionId },
    body: { cancelledBy: 'carer', reason: secret('Reason') },
  });
  await createTaughtLesson(fixture, maya.id, '2026-11-14');
  const familyId = maya.familyId as number;
  await createPayment(browser, familyId, 1000, { note: secret('PaymentNote') });

  const answer = await browser.call(offline.offlineSnapshot);
  expect(answer.body.sessions).toEqual([
    {
      date: '2026-11-16',
      startTime: '18:00',
      endTime: '19:00',
      firstName: 'Maya',
      subject: 'Maths',
      color: answer.body.sessions[0]?.color,
      status: 'cancelled',
    },
    {
      date: '2026-11-29',
      startTime: '09:00',
      endTime: '10:00',
      firstName: 'Maya',
      subject: 'Maths',
      color: answer.body.sessions[0]?.color,
      status: 'scheduled',
    },
  ]);
  expect(answer.body.balances).toEqual([
    { firstNames: ['Maya'], open: [{ currency: 'GBP', owed: expect.any(Number), credit: 0 }] },
  ]);
  expect(JSON.stringify(answer.body)).not.toMatch(/canary|7700|@|Ruth|Okafor/i);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
});

test('another tutor’s is another tutor’s, and without a login there is none', async () => {
  const mine = await createLessonFixture(app);
  await addLesson(mine, { date: '2026-11-18' });
  const other = await createLessonFixture(app);
  const [ownBook, otherBook] = [
    await readSnapshot(mine.browser),
    await readSnapshot(other.browser),
  ];
  expect(ownBook.sessions).toHaveLength(1);
  expect(otherBook.sessions).toEqual([]);
  expect(otherBook.owner).not.toBe(ownBook.owner);
  expect((await app.browser().call(offline.offlineSnapshot)).status).toBe(401);
});

test('the revision moves with the book, so that a browser knows when to ask again', async () => {
  const fixture = await createLessonFixture(app);
  const before = await readSnapshot(fixture.browser);
  expect((await readSnapshot(fixture.browser)).revision).toBe(before.revision);
  await addLesson(fixture, { date: '2026-11-18' });
  const after = await readSnapshot(fixture.browser);
  expect(after.revision).toBeGreaterThan(before.revision);
  expect(after.revision).toBe((await fixture.browser.call(accounts.me)).body.revision);
});
