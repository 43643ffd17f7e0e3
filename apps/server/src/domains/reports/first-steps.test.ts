import { businessDetails } from '@lessonbook/contract/business';
import { reminders } from '@lessonbook/contract/reminders';
import { reports } from '@lessonbook/contract/reports';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { type House, openHouse } from '../../test/house.ts';
import { addLesson, openDesk } from '../../test/teaching.ts';
import { signedIn } from '../../test/tutor.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());

const steps = async (browser: Browser) => (await browser.call(reports.firstSteps)).body;
const none = { student: false, lesson: false, payment: false, reminders: false, taught: false };

test('each step is ticked by what stands in the book, and by nobody else’s', async () => {
  const { browser: stranger } = await signedIn(house);
  expect(await steps(stranger)).toEqual(none);
  const desk = await openDesk(house);
  const { browser } = desk;
  expect(await steps(browser)).toEqual({ ...none, student: true });
  const { sessionId } = await addLesson(desk);
  expect(await steps(browser)).toEqual({ ...none, student: true, lesson: true });

  // Opening the page saves nothing yet; terms alone do not say where to pay.
  const terms = { dueDays: 14, invoicePrefix: '', nextInvoiceNumber: 1 };
  await browser.call(businessDetails.saveBusiness, { body: terms });
  expect((await steps(browser)).payment).toBe(false);
  await browser.call(businessDetails.saveBusiness, {
    body: { ...terms, accountName: 'A Fenwick', accountNumber: '55779911', sortCode: '20-00-00' },
  });
  expect((await steps(browser)).payment).toBe(true);

  await browser.call(reminders.startReminders);
  await browser.call(sessions.completeSession, { params: { id: sessionId }, body: {} });
  const all = { student: true, lesson: true, payment: true, reminders: true, taught: true };
  expect(await steps(browser)).toEqual(all);
  expect(await steps(stranger)).toEqual(none);
});
