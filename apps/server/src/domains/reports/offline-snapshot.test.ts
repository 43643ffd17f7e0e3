import { accounts } from '@lessonbook/contract/accounts';
import { type OfflineSnapshot, offline } from '@lessonbook/contract/offline-snapshot';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { addLesson, createTutorWithStudentAndSubject } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const readSnapshot = async (browser: Browser): Promise<OfflineSnapshot> =>
  (await browser.call(offline.offlineSnapshot)).body;

test('a new tutor has an empty snapshot with dates in the tutor’s time zone', async () => {
  const { browser } = await createTutorWithStudentAndSubject(app, 'Pacific/Auckland');
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

test('the snapshot contains 14 days of lessons with first names, and balances, but no other personal data', async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { browser } = fixture;
  const canary = (what: string) => `Canary${what}`;
  const maya = await createStudent(browser, {
    name: `Maya ${canary('Surname')}`,
    phone: '+44 7700 900123',
    email: `${canary('mail')}@example.com`,
    subject: canary('OwnSubject'),
    notes: canary('Notes'),
    school: canary('School'),
    schoolYear: canary('SchoolYear'),
    carerName: `Ruth ${canary('CarerSurname')}`,
    carerRelationship: canary('Relationship'),
    carerPhone: '+44 7700 900456',
    carerEmail: `${canary('carermail')}@example.com`,
  });
  const lesson = {
    studentId: maya.id,
    title: canary('Title'),
    notes: canary('LessonNotes'),
    place: canary('Place'),
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
    body: { cancelledBy: 'carer', reason: canary('Reason') },
  });
  await createCompletedLesson(fixture, maya.id, '2026-11-14');
  const familyId = maya.familyId as number;
  await createPayment(browser, familyId, 1000, { note: canary('PaymentNote') });

  const response = await browser.call(offline.offlineSnapshot);
  expect(response.body.sessions).toEqual([
    {
      date: '2026-11-16',
      startTime: '18:00',
      endTime: '19:00',
      firstName: 'Maya',
      subject: 'Maths',
      color: response.body.sessions[0]?.color,
      status: 'cancelled',
    },
    {
      date: '2026-11-29',
      startTime: '09:00',
      endTime: '10:00',
      firstName: 'Maya',
      subject: 'Maths',
      color: response.body.sessions[0]?.color,
      status: 'scheduled',
    },
  ]);
  expect(response.body.balances).toEqual([
    { firstNames: ['Maya'], amounts: [{ currency: 'GBP', owed: expect.any(Number), credit: 0 }] },
  ]);
  expect(JSON.stringify(response.body)).not.toMatch(/canary|7700|@|Ruth|Okafor/i);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

test('each tutor gets only their own snapshot, and a login is required', async () => {
  const mine = await createTutorWithStudentAndSubject(app);
  await addLesson(mine, { date: '2026-11-18' });
  const other = await createTutorWithStudentAndSubject(app);
  const [ownSnapshot, otherSnapshot] = [
    await readSnapshot(mine.browser),
    await readSnapshot(other.browser),
  ];
  expect(ownSnapshot.sessions).toHaveLength(1);
  expect(otherSnapshot.sessions).toEqual([]);
  expect(otherSnapshot.owner).not.toBe(ownSnapshot.owner);
  expect((await app.browser().call(offline.offlineSnapshot)).status).toBe(401);
});

test('the revision increases with every change', async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  const before = await readSnapshot(fixture.browser);
  expect((await readSnapshot(fixture.browser)).revision).toBe(before.revision);
  await addLesson(fixture, { date: '2026-11-18' });
  const after = await readSnapshot(fixture.browser);
  expect(after.revision).toBeGreaterThan(before.revision);
  expect(after.revision).toBe((await fixture.browser.call(accounts.me)).body.revision);
});
