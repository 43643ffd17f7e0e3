import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { messages } from '@lessonbook/contract/messages';
import { dayChanges } from '@lessonbook/contract/move-online-or-cancel-days';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  createTutorWithFamilies,
  NEW_ACCOUNT,
  OLDER_ACCOUNT,
  sendPaymentReminder,
} from '../../test/tutor-with-families.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { consumeEmailQuota } from './service/outbound/email-quota.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let addressCount = 0;
const newAddress = () => {
  addressCount += 1;
  return `family${addressCount}@families.example`;
};

/** Counts emails against the quota as if they had been sent manually. */
const consume = (tutorId: string, count: number, address = newAddress) =>
  app.context.db.tutorTransaction(tutorId, (tx) =>
    consumeEmailQuota(
      app.context,
      tx,
      tutorId,
      Array.from({ length: count }, () => ({
        toName: 'Ruth Hale',
        channel: 'email',
        address: address(),
      })),
    ),
  );

const countMessages = async (browser: Browser) =>
  (await browser.call(messages.listMessages, { query: { limit: '100' } })).body.length;

const listSent = async (browser: Browser, kind: string) =>
  (await waitUntilMessagesProcessed(browser)).filter((message) => message.kind === kind);

test('F06 a new account can invoice 60 families and cancel a day for all of them', async () => {
  const { tutorId } = await createTutorWithFamilies(app, NEW_ACCOUNT);
  for (let count = 0; count < 60; count += 1) await consume(tutorId, 1);
  expect(await consume(tutorId, 60)).toHaveLength(60);
  await expect(consume(tutorId, 60)).rejects.toMatchObject({
    code: 'too_many_requests',
    message:
      'You can send 150 emails a day in your first week. You have 30 left now. Please choose fewer families, or try again in 5 hours.',
    retryAfterSeconds: 17_280,
  });
  app.clock.advance({ seconds: 17_279 });
  await expect(consume(tutorId, 60)).rejects.toMatchObject({ retryAfterSeconds: 1 });
  app.clock.advance({ seconds: 1 });
  expect(await consume(tutorId, 60)).toHaveLength(60);
});

test('F06 the error for a batch over the limit says how many emails can be sent', async () => {
  const newer = await createTutorWithFamilies(app, NEW_ACCOUNT);
  await expect(consume(newer.tutorId, 151)).rejects.toMatchObject({
    code: 'conflict',
    message: 'You can send 150 emails a day in your first week. Please choose fewer families.',
  });
  const older = await createTutorWithFamilies(app, OLDER_ACCOUNT);
  await expect(consume(older.tutorId, 501)).rejects.toMatchObject({
    message: 'You can send 500 emails a day. Please choose fewer families.',
  });
  expect(await consume(older.tutorId, 500)).toHaveLength(500);
});

test('F06 an email over the limit is rejected, and the error says how long to wait', async () => {
  const { browser, tutorId, families } = await createTutorWithFamilies(
    app,
    NEW_ACCOUNT,
    newAddress(),
  );
  await consume(tutorId, 150);
  const limited = await sendPaymentReminder(browser, families[0]);
  expect([limited.status, limited.error.message]).toEqual([
    429,
    'You can send 150 emails a day in your first week. Please try again in 10 minutes.',
  ]);
  expect(limited.headers.get('retry-after')).toBe('576');
  expect(await countMessages(browser)).toBe(0);
  app.clock.advance({ minutes: 10 });
  expect((await sendPaymentReminder(browser, families[0])).status).toBe(201);
  expect((await sendPaymentReminder(browser, families[0])).status).toBe(429);
});

test('F06 an address gets at most 50 emails a day from all tutors combined', async () => {
  const [ruth, other] = [newAddress(), newAddress()];
  const first = await createTutorWithFamilies(app, OLDER_ACCOUNT, ruth);
  const second = await createTutorWithFamilies(app, OLDER_ACCOUNT, ruth.toUpperCase(), other);
  await consume(second.tutorId, 49, () => ruth);
  expect((await sendPaymentReminder(first.browser, first.families[0])).status).toBe(201);
  const limited = await sendPaymentReminder(second.browser, second.families[0]);
  expect([limited.status, limited.error.message]).toEqual([
    429,
    'Ruth Hale has had a lot of emails today. Please try again in 29 minutes.',
  ]);
  expect((await sendPaymentReminder(second.browser, second.families[1])).status).toBe(201);
  const notices = await app.context.db.tutorTransaction(first.tutorId, (tx) =>
    consumeEmailQuota(
      app.context,
      tx,
      first.tutorId,
      [ruth, other].map((address) => ({ toName: 'Ruth Hale', channel: 'email', address })),
    ),
  );
  expect(notices.map(({ address }) => address)).toEqual([other]);
});

test('F06 emails to one address that exceed its limit are left out', async () => {
  const { tutorId } = await createTutorWithFamilies(app, OLDER_ACCOUNT);
  const address = newAddress();
  expect(await consume(tutorId, 45, () => address)).toHaveLength(45);
  expect(await consume(tutorId, 60, () => address)).toHaveLength(5);
  expect(await consume(tutorId, 60)).toHaveLength(60);
});

test('F06 a repeated request counts once', async () => {
  const address = newAddress();
  const { browser, tutorId, families } = await createTutorWithFamilies(app, OLDER_ACCOUNT, address);
  const body = { familyId: families[0]?.familyId, channel: 'email' };
  for (let count = 0; count < 5; count += 1) {
    const repeated = await browser.send('POST', '/api/reminders', body, {
      'idempotency-key': 'repeated-key',
    });
    expect(repeated.status).toBe(201);
  }
  await consume(tutorId, 49, () => address);
  await expect(consume(tutorId, 1, () => address)).rejects.toMatchObject({
    code: 'too_many_requests',
  });
});

test('F06 in the first week, automatic reminders count towards the limit, and those over it are sent later', async () => {
  const addresses = [newAddress(), newAddress(), newAddress()];
  const { browser, tutorId } = await createTutorWithFamilies(app, NEW_ACCOUNT, ...addresses);
  app.clock.advance({ hours: 5 });
  await consume(tutorId, 149);
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  await sendTutorReminders(app.context, tutorId);
  await sendTutorReminders(app.context, tutorId);
  expect(await listSent(browser, 'lesson_reminder')).toHaveLength(1);
  const { rows } = await app.admin.query(
    `select next_due_at as "dueAt" from tenant_schedule where tutor_id = $1 and kind = 'reminders'`,
    [tutorId],
  );
  expect(rows[0].dueAt.getTime() - app.clock.now().getTime()).toBe(3_600_000);
  app.clock.advance({ hours: 1 });
  await sendTutorReminders(app.context, tutorId);
  const sent = await listSent(browser, 'lesson_reminder');
  expect(sent.map(({ address }) => address).toSorted()).toEqual(addresses.toSorted());
});

test('F06 automatic reminders from older accounts do not count towards the limit', async () => {
  const { browser, tutorId } = await createTutorWithFamilies(app, OLDER_ACCOUNT, newAddress());
  app.clock.advance({ hours: 5 });
  await consume(tutorId, 500);
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  await sendTutorReminders(app.context, tutorId);
  expect(await listSent(browser, 'lesson_reminder')).toHaveLength(1);
});

test('cancelling a day can be undone after the email limit is reached, and the response says how many families were not emailed', async () => {
  const { browser, tutorId, families } = await createTutorWithFamilies(
    app,
    OLDER_ACCOUNT,
    newAddress(),
    newAddress(),
  );
  const day = '2026-11-17';
  const { body: change } = await browser.call(dayChanges.changeDays, {
    body: {
      action: 'cancel',
      fromDate: day,
      toDate: day,
      sessionIds: families.map(({ sessionId }) => sessionId),
    },
  });
  expect(change.emailed).toBe(2);
  await consume(tutorId, 497);
  const undone = await browser.call(dayChanges.undoDayChange, { params: { id: change.id } });
  expect(undone.body).toEqual({ restored: 2, emailed: 1, toSend: 0, notSent: 1 });
});

test('F06 a change notice for an address that has reached its limit is sent later', async () => {
  const address = newAddress();
  const { browser, tutorId, families } = await createTutorWithFamilies(app, OLDER_ACCOUNT, address);
  app.clock.advance({ hours: 5 });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  await sendTutorReminders(app.context, tutorId);
  expect(await listSent(browser, 'lesson_reminder')).toHaveLength(1);
  await consume(tutorId, 50, () => address);
  await browser.call(sessions.cancelSession, {
    params: { id: families[0]?.sessionId ?? 0 },
    body: { cancelledBy: 'tutor' },
  });
  await sendTutorReminders(app.context, tutorId);
  expect(await listSent(browser, 'lesson_change')).toEqual([]);
  app.clock.advance({ hours: 1 });
  await sendTutorReminders(app.context, tutorId);
  await sendTutorReminders(app.context, tutorId);
  expect(await listSent(browser, 'lesson_change')).toHaveLength(1);
  // The change notice counts towards the limit of 50.
  expect(await consume(tutorId, 1, () => address)).toHaveLength(1);
  await expect(consume(tutorId, 1, () => address)).rejects.toMatchObject({
    code: 'too_many_requests',
  });
});

test('F06 a manual reminder is rejected if the family has unsubscribed', async () => {
  const address = newAddress();
  const { browser, families } = await createTutorWithFamilies(app, OLDER_ACCOUNT, address);
  const [family] = families;
  await sendPaymentReminder(browser, family);
  const mail = await app.mailbox.waitFor(({ to }) => to.includes(address));
  const token = /\/unsubscribe\/(\S+)/.exec(mail.text ?? '')?.[1] as string;
  await app.browser().call(emailPreferences.unsubscribe, { params: { token } });
  const stored = await countMessages(browser);
  const message =
    'Ruth Hale has unsubscribed from payment reminders. You can still send an invoice, or contact them yourself.';
  const body = { familyId: family?.familyId as number, channel: 'email' as const };
  const preview = await browser.call(messages.previewReminder, { body });
  expect(preview.body.problem).toBe(message);
  const rejected = await sendPaymentReminder(browser, family);
  expect([rejected.status, rejected.error.message]).toEqual([409, message]);
  expect(await countMessages(browser)).toBe(stored);
});
