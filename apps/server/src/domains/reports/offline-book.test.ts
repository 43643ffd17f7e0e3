import { accounts } from '@lessonbook/contract/accounts';
import { type OfflineBook, offline } from '@lessonbook/contract/offline';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newStudent } from '../../test/book.ts';
import type { Browser } from '../../test/browser.ts';
import { type House, openHouse } from '../../test/house.ts';
import { paid, teach } from '../../test/money.ts';
import { addLesson, openDesk } from '../../test/teaching.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());

const kept = async (browser: Browser): Promise<OfflineBook> =>
  (await browser.call(offline.offlineBook)).body;

test('a new tutor has an empty one, by the tutor’s own calendar', async () => {
  const { browser } = await openDesk(house, 'Pacific/Auckland');
  const { body: me } = await browser.call(accounts.me);
  expect(await kept(browser)).toEqual({
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
  const desk = await openDesk(house);
  const { browser } = desk;
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
  await addLesson(desk, { ...lesson, date: '2026-11-15' });
  const first = await addLesson(desk, {
    ...lesson,
    date: '2026-11-16',
    startTime: '18:00',
    endTime: '19:00',
  });
  await addLesson(desk, { ...lesson, date: '2026-11-29', startTime: '09:00', endTime: '10:00' });
  await addLesson(desk, { ...lesson, date: '2026-11-30' });
  await browser.call(sessions.cancelSession, {
    params: { id: first.sessionId },
    body: { cancelledBy: 'carer', reason: secret('Reason') },
  });
  await teach(desk, maya.id, '2026-11-14');
  const familyId = maya.familyId as number;
  await paid(browser, familyId, 1000, { note: secret('PaymentNote') });

  const answer = await browser.call(offline.offlineBook);
  expect(answer.body.sessions).toEqual([
    {
      date: '2026-11-16',
      startTime: '18:00',
      endTime: '19:00',
      firstName: 'Maya',
      subject: 'Maths',
      tone: answer.body.sessions[0]?.tone,
      status: 'cancelled',
    },
    {
      date: '2026-11-29',
      startTime: '09:00',
      endTime: '10:00',
      firstName: 'Maya',
      subject: 'Maths',
      tone: answer.body.sessions[0]?.tone,
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
  const mine = await openDesk(house);
  await addLesson(mine, { date: '2026-11-18' });
  const other = await openDesk(house);
  const [ownBook, otherBook] = [await kept(mine.browser), await kept(other.browser)];
  expect(ownBook.sessions).toHaveLength(1);
  expect(otherBook.sessions).toEqual([]);
  expect(otherBook.owner).not.toBe(ownBook.owner);
  expect((await house.browser().call(offline.offlineBook)).status).toBe(401);
});

test('the revision moves with the book, so that a browser knows when to ask again', async () => {
  const desk = await openDesk(house);
  const before = await kept(desk.browser);
  expect((await kept(desk.browser)).revision).toBe(before.revision);
  await addLesson(desk, { date: '2026-11-18' });
  const after = await kept(desk.browser);
  expect(after.revision).toBeGreaterThan(before.revision);
  expect(after.revision).toBe((await desk.browser.call(accounts.me)).body.revision);
});
