import { families } from '@lessonbook/contract/families';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFamily } from '../../test/change-notice-fixture.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { createCompletedLesson, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { bankDebitFailed } from '../cards/events.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** A family with a lesson on Tuesday 17 November at 16:00, for which reminders are turned on. */
async function createRemindedFamily(timeZone: string | null = null) {
  const family = await createFamily(app);
  const { browser, tutorId } = family;
  const [account] = (await browser.call(families.listFamilies, { query: {} })).body;
  const { id, reference } = await readFamily(browser, account?.id as number);
  await browser.call(families.updateFamily, { params: { id }, body: { reference, timeZone } });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  const runAt = async (time: string) => {
    app.clock.set(time);
    await sendTutorReminders(app.context, tutorId);
    return (await browser.call(messages.listMessages, { query: {} })).body;
  };
  const setLead = async (leadMinutes: 720 | 1440) => {
    const { body } = await browser.call(reminders.reminderSettings);
    const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
    await browser.call(reminders.saveReminderSettings, { body: { ...settings, leadMinutes } });
  };
  return { ...family, runAt, setLead };
}

const readNextRun = async (tutorId: string): Promise<string> =>
  (
    await app.admin.query(
      `select next_due_at from tenant_schedule where tutor_id = $1 and kind = 'reminders'`,
      [tutorId],
    )
  ).rows[0].next_due_at.toISOString();

test('F84 a reminder that is due at 4:00 is sent at 7:00', async () => {
  const family = await createRemindedFamily();
  await family.setLead(720);
  expect(await family.runAt('2026-11-17T04:05:00Z')).toEqual([]);
  expect(await readNextRun(family.tutorId)).toBe('2026-11-17T07:00:00.000Z');
  expect(await family.runAt('2026-11-17T07:00:00Z')).toHaveLength(1);
});

test("F84 the quiet hours are those of the recipient, and the text gives the tutor's and the recipient's time", async () => {
  const family = await createRemindedFamily('Asia/Tokyo');
  // It is 1:00 in Tokyo; the reminder is sent at 7:00 there.
  expect(await family.runAt('2026-11-16T16:01:00Z')).toEqual([]);
  expect(await readNextRun(family.tutorId)).toBe('2026-11-16T22:00:00.000Z');
  const [reminder] = await family.runAt('2026-11-16T22:00:00Z');
  expect(reminder?.text).toContain(
    'Maya: Maths, 4pm to 5pm London time (1am on Wed 18 Nov, your time)',
  );
});

test('F84 a correction at night waits until the morning, except for a lesson before noon the next day', async () => {
  const family = await createRemindedFamily();
  const early = await addLesson(family.fixture, {
    date: '2026-11-18',
    startTime: '09:00',
    endTime: '10:00',
  });
  const late = await addLesson(family.fixture, {
    date: '2026-11-18',
    startTime: '15:00',
    endTime: '16:00',
  });
  expect(await family.runAt('2026-11-17T16:00:00Z')).toHaveLength(1);
  await waitUntilMessagesProcessed(family.browser);
  app.clock.set('2026-11-17T22:00:00Z');
  for (const { sessionId } of [early, late]) {
    await family.browser.call(sessions.cancelSession, {
      params: { id: sessionId },
      body: { cancelledBy: 'tutor' },
    });
  }
  const [urgent, ...older] = await family.runAt('2026-11-17T22:01:00Z');
  expect(older).toHaveLength(1);
  expect(urgent?.text).toContain('Wed 18 Nov, Maya: Maths, 9am to 10am');
  expect(urgent?.text).not.toContain('3pm');
  const [waiting] = await family.runAt('2026-11-18T07:00:00Z');
  expect(waiting?.text).toContain('Wed 18 Nov, Maya: Maths, 3pm to 4pm');
});

test('F84 a family is notified at night that a lesson the next morning has moved to another day', async () => {
  const family = await createRemindedFamily();
  const { sessionId } = await addLesson(family.fixture, {
    date: '2026-11-18',
    startTime: '08:00',
    endTime: '09:00',
  });
  await family.runAt('2026-11-17T16:00:00Z');
  await waitUntilMessagesProcessed(family.browser);
  app.clock.set('2026-11-17T22:00:00Z');
  await family.browser.call(sessions.rescheduleSession, {
    params: { id: sessionId },
    body: { date: '2026-11-27', startTime: '08:00', endTime: '09:00' },
  });
  await family.runAt('2026-11-17T22:01:00Z');
  const [correction] = await waitUntilMessagesProcessed(family.browser);
  expect(correction).toMatchObject({ kind: 'lesson_change', state: 'sent' });
});

/** Retries sending a message at each of these times. Returns the number of the family's emails after each attempt. */
async function sendAgainAt(
  { tutorId, carerEmail }: { tutorId: string; carerEmail: string },
  messageId: number,
  times: readonly string[],
): Promise<number[]> {
  await app.admin.query(
    `update messages set state = 'waiting', sent_at = null, attempts = 1 where tutor_id = $1 and id = $2`,
    [tutorId, messageId],
  );
  const counts: number[] = [];
  for (const time of times) {
    app.clock.set(time);
    await sendMessage(app.context, { tutorId, messageId }, 1);
    counts.push(app.mailbox.emails().filter(({ to }) => to.includes(carerEmail)).length);
  }
  return counts;
}

test('F84 an automatic reminder whose retries run into the night is sent in the morning', async () => {
  const family = await createRemindedFamily();
  const [reminder] = await family.runAt('2026-11-16T16:00:00Z');
  await waitUntilMessagesProcessed(family.browser);
  const times = ['2026-11-16T23:00:00Z', '2026-11-17T07:00:00Z'];
  expect(await sendAgainAt(family, reminder?.id as number, times)).toEqual([1, 2]);
});

test("F84 an overdue reminder is sent in the recipient's daytime, even if its retries run into the night", async () => {
  const family = await createRemindedFamily('America/Los_Angeles');
  const { browser, fixture, carerEmail } = family;
  await createCompletedLesson(fixture, fixture.studentId, '2026-11-10');
  const { body } = await browser.call(reminders.reminderSettings);
  const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
  await browser.call(reminders.saveReminderSettings, {
    body: { ...settings, overdueEnabled: true, overdueDays: [7] },
  });
  const findReminder = async (time: string) =>
    (await family.runAt(time)).find(({ kind }) => kind === 'payment_reminder');
  // 2:00 and 10:00 in Los Angeles.
  expect(await findReminder('2026-11-17T10:00:00Z')).toBeUndefined();
  const reminder = await findReminder('2026-11-17T18:00:00Z');
  await waitUntilMessagesProcessed(browser);
  const sent = app.mailbox.emails().filter(({ to }) => to.includes(carerEmail)).length;
  // 23:00 and 7:00 in Los Angeles.
  const times = ['2026-11-18T07:00:00Z', '2026-11-18T15:00:00Z'];
  expect(await sendAgainAt(family, reminder?.id as number, times)).toEqual([sent, sent + 1]);
});

test('F84 an email about a failed payment waits until the morning', async () => {
  const family = await createRemindedFamily();
  const { tutorId, browser } = family;
  const failed = { tutorId, familyId: 1, checkoutId: 1, amount: 3500, currency: 'GBP' };
  await app.context.db.tutorTransaction(tutorId, (tx) =>
    app.context.events.publish(tx, bankDebitFailed, failed),
  );
  await waitUntilMessagesProcessed(browser);
  const [update] = (await browser.call(messages.listMessages, { query: {} })).body;
  expect(update?.kind).toBe('payment_update');
  const times = ['2026-11-16T23:00:00Z', '2026-11-17T07:00:00Z'];
  expect(await sendAgainAt(family, update?.id as number, times)).toEqual([1, 2]);
});
