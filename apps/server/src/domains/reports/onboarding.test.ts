import { businessSettings } from '@lessonbook/contract/business-settings';
import { reminders } from '@lessonbook/contract/reminders';
import { reports } from '@lessonbook/contract/reports';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { addLesson, createLessonFixture } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const steps = async (browser: Browser) => (await browser.call(reports.onboardingProgress)).body;
const none = { student: false, lesson: false, payment: false, reminders: false, taught: false };

test('each step is ticked by what stands in the book, and by nobody else’s', async () => {
  const { browser: stranger } = await createTutor(app);
  expect(await steps(stranger)).toEqual(none);
  const fixture = await createLessonFixture(app);
  const { browser } = fixture;
  expect(await steps(browser)).toEqual({ ...none, student: true });
  const { sessionId } = await addLesson(fixture);
  expect(await steps(browser)).toEqual({ ...none, student: true, lesson: true });

  // Opening the page saves nothing yet; terms alone do not say where to pay.
  const terms = { dueDays: 14, invoicePrefix: '', nextInvoiceNumber: 1 };
  await browser.call(businessSettings.saveBusinessSettings, { body: terms });
  expect((await steps(browser)).payment).toBe(false);
  await browser.call(businessSettings.saveBusinessSettings, {
    body: { ...terms, accountName: 'A Fenwick', accountNumber: '55779911', sortCode: '20-00-00' },
  });
  expect((await steps(browser)).payment).toBe(true);

  await browser.call(reminders.startReminders);
  await browser.call(sessions.completeSession, { params: { id: sessionId }, body: {} });
  const all = { student: true, lesson: true, payment: true, reminders: true, taught: true };
  expect(await steps(browser)).toEqual(all);
  expect(await steps(stranger)).toEqual(none);
});
