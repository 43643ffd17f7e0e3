import { businessSettings } from '@lessonbook/contract/business-settings';
import { dashboard } from '@lessonbook/contract/dashboard';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { addLesson, createTutorWithStudentAndSubject } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const readSteps = async (browser: Browser) =>
  (await browser.call(dashboard.onboardingProgress)).body;
const noSteps = {
  student: false,
  lesson: false,
  payment: false,
  reminders: false,
};

test('F102 each step is completed only by the tutor’s own data', async () => {
  const { browser: otherTutor } = await createTutor(app);
  expect(await readSteps(otherTutor)).toEqual(noSteps);
  const fixture = await createTutorWithStudentAndSubject(app);
  const { browser } = fixture;
  expect(await readSteps(browser)).toEqual({ ...noSteps, student: true });
  await addLesson(fixture);
  expect(await readSteps(browser)).toEqual({ ...noSteps, student: true, lesson: true });

  // An invoice without bank details cannot be paid.
  const terms = {
    tradingName: 'Fenwick Tuition',
    dueDays: 14,
    invoicePrefix: '',
    nextInvoiceNumber: 1,
  };
  await browser.call(businessSettings.saveBusinessSettings, { body: terms });
  expect((await readSteps(browser)).payment).toBe(false);
  await browser.call(businessSettings.saveBusinessSettings, {
    body: { ...terms, accountName: 'A Fenwick', accountNumber: '55779911', sortCode: '20-00-00' },
  });
  expect((await readSteps(browser)).payment).toBe(true);

  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  const all = { student: true, lesson: true, payment: true, reminders: true };
  expect(await readSteps(browser)).toEqual(all);
  expect(await readSteps(otherTutor)).toEqual(noSteps);
});
