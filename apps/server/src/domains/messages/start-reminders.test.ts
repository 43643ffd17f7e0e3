import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutorWithFamilies, OLDER_ACCOUNT } from '../../test/tutor-with-families.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

async function enableOverdueReminders(browser: Browser) {
  const { body } = await browser.call(reminders.reminderSettings);
  const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
  await browser.call(reminders.saveReminderSettings, {
    body: { ...settings, overdueEnabled: true },
  });
}

const preview = async (browser: Browser) =>
  (await browser.call(reminders.previewFirstReminders)).body;

test('F70 the preview lists every message for the next few days, and only messages not excluded are sent', async () => {
  const addresses = ['first@families.example', 'second@families.example'];
  const { browser, tutorId } = await createTutorWithFamilies(app, OLDER_ACCOUNT, ...addresses);
  await enableOverdueReminders(browser);
  const planned = await preview(browser);
  // Both lessons on 10 November are six days overdue today, and seven days tomorrow.
  expect(planned.map(({ kind, address, at }) => [kind, address, at])).toEqual([
    ['payment_reminder', addresses[0], '2026-11-16T12:00:00.000Z'],
    ['payment_reminder', addresses[1], '2026-11-16T12:00:00.000Z'],
    ['lesson_reminder', addresses[0], '2026-11-16T16:00:00.000Z'],
    ['lesson_reminder', addresses[1], '2026-11-16T16:00:00.000Z'],
    ['payment_reminder', addresses[0], '2026-11-17T10:00:00.000Z'],
    ['payment_reminder', addresses[1], '2026-11-17T10:00:00.000Z'],
  ]);
  const excludedKeys = planned
    .filter(({ address, kind }) => address === addresses[0] && kind === 'payment_reminder')
    .map(({ key }) => key);
  const start = () => browser.call(reminders.startReminders, { body: { excludedKeys } });
  await Promise.all([start(), start()]);
  for (const time of ['2026-11-16T12:00:00Z', '2026-11-16T16:00:00Z', '2026-11-17T10:00:00Z']) {
    app.clock.set(time);
    await sendTutorReminders(app.context, tutorId);
  }
  const sent = await waitUntilMessagesProcessed(browser);
  const toFirst = sent.filter(({ address }) => address === addresses[0]);
  expect(toFirst.map(({ kind, state, problem }) => [kind, state, problem])).toEqual([
    ['lesson_reminder', 'sent', null],
    ['payment_reminder', 'skipped', 'You left this message out when you turned reminders on.'],
    ['payment_reminder', 'skipped', 'You left this message out when you turned reminders on.'],
  ]);
  const toSecond = sent.filter(({ address }) => address === addresses[1]);
  expect(toSecond.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
    'lesson_reminder sent',
    'payment_reminder sent',
    'payment_reminder sent',
  ]);
});

test('F70 the preview leaves out messages that have already been created', async () => {
  const { browser, tutorId } = await createTutorWithFamilies(
    app,
    OLDER_ACCOUNT,
    'again@families.example',
  );
  await enableOverdueReminders(browser);
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  await sendTutorReminders(app.context, tutorId);
  await waitUntilMessagesProcessed(browser);
  await browser.call(reminders.stopReminders);
  expect((await preview(browser)).map(({ kind }) => kind)).toEqual([
    'lesson_reminder',
    'payment_reminder',
  ]);
  expect((await browser.call(messages.listMessages, { query: {} })).body).toHaveLength(1);
});

test('the preview names the day of the lesson relative to the day on which the message is sent', async () => {
  const { browser } = await createTutorWithFamilies(app, OLDER_ACCOUNT, 'day@families.example');
  // The lesson is on 17 November at 16:00. Its reminder is due a day before, or after the quiet hours.
  app.clock.set('2026-11-16T22:00:00Z');
  expect(await preview(browser)).toMatchObject([
    { at: '2026-11-17T07:00:00.000Z', text: expect.stringContaining("today's lesson (Tuesday") },
  ]);
  app.clock.set('2026-11-15T12:00:00Z');
  expect(await preview(browser)).toMatchObject([
    { at: '2026-11-16T16:00:00.000Z', text: expect.stringContaining("tomorrow's lesson (Tues") },
  ]);
});
