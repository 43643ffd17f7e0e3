import { accounts } from '@lessonbook/contract/accounts';
import { notifications } from '@lessonbook/contract/notifications';
import { publicBills } from '@lessonbook/contract/public-bill';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
} from '../../test/lesson-fixture.ts';
import { createCompletedLesson, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { readTokenFromEmail } from '../../test/tutor.ts';
import { sendDailyNotifications } from './service/notifications/daily-notifications.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

async function createNotifiedTutor() {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { email } = (await fixture.browser.call(accounts.me)).body;
  await fixture.browser.call(accounts.confirmEmail, {
    body: { token: await readTokenFromEmail(app, email, 'verify-email') },
  });
  const familyId = 1;
  await createCompletedLesson(fixture, fixture.studentId, '2026-11-03');
  const { payToken } = await readFamily(fixture.browser, familyId);
  const claim = () =>
    app.browser().call(publicBills.claimTransfer, { params: { token: payToken } });
  const mails = () =>
    app.mailbox
      .mails()
      .filter((mail) => mail.to.includes(email) && /transfer|ticked/.test(mail.subject));
  return { fixture, email, claim, mails };
}
const listNotifications = async ({ browser }: LessonFixture) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body;
const updateSettings = ({ browser }: LessonFixture, change: object) =>
  browser.call(accounts.updateNotificationSettings, {
    body: {
      emailNotifications: true,
      lessonReminders: true,
      paymentNotifications: true,
      ...change,
    },
  });

describe('[SET-21] notification settings', () => {
  test('payment notifications are shown in the list and sent by email', async () => {
    const { fixture, email, claim, mails } = await createNotifiedTutor();
    await claim();
    await app.mailbox.waitFor(() => mails().length === 1);
    expect(mails()[0]).toMatchObject({
      subject: 'Maya Okafor says that £35.00 was sent by bank transfer.',
      to: [email],
    });
    expect(await listNotifications(fixture)).toMatchObject({ unread: 1 });
  });

  test("with 'Payment Notifications' off there is no notification; with 'Email Notifications' off it is not emailed", async () => {
    const withoutPayments = await createNotifiedTutor();
    await updateSettings(withoutPayments.fixture, { paymentNotifications: false });
    await withoutPayments.claim();
    expect(await listNotifications(withoutPayments.fixture)).toEqual({
      unread: 0,
      notifications: [],
    });
    const withoutEmail = await createNotifiedTutor();
    await updateSettings(withoutEmail.fixture, { emailNotifications: false });
    await withoutEmail.claim();
    expect(await listNotifications(withoutEmail.fixture)).toMatchObject({ unread: 1 });
    // A third tutor's email goes through the same queue, so once it arrives, any earlier email would have arrived too.
    const third = await createNotifiedTutor();
    await third.claim();
    await app.mailbox.waitFor(() => third.mails().length === 1);
    expect([...withoutPayments.mails(), ...withoutEmail.mails()]).toEqual([]);
  });
});

describe('[ROUTE-25] the daily job', () => {
  test('notifies the tutor once a day about lessons to complete and about the end of the trial', async () => {
    const { fixture } = await createNotifiedTutor();
    await addLesson(fixture, { date: '2026-11-16', startTime: '16:00', endTime: '17:00' });
    await sendDailyNotifications(app.context);
    expect((await listNotifications(fixture)).notifications).toEqual([]);
    app.clock.advance({ hours: 8, minutes: 30 });
    await sendDailyNotifications(app.context);
    await sendDailyNotifications(app.context);
    expect((await listNotifications(fixture)).notifications).toMatchObject([
      { kind: 'sessions_to_complete', text: '1 lesson is to be ticked off.', requiresAction: true },
    ]);
    app.clock.advance({ days: 11 });
    await sendDailyNotifications(app.context);
    const kinds = (await listNotifications(fixture)).notifications.map((each) => each.kind);
    expect(kinds).toContain('trial_ending');
  });
});

test('new notifications are streamed to open windows, and marking them as read updates the count', async () => {
  const { fixture, claim } = await createNotifiedTutor();
  const cookie = [...fixture.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stop = new AbortController();
  const response = await fetch(`${app.url}${notifications.notificationStream.path}`, {
    headers: { cookie },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const firstEvent = (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done || chunk.value.includes('data:')) return chunk?.value ?? '';
    }
  })();
  await claim();
  expect(await firstEvent).toContain('data:');
  stop.abort();
  const [first] = (await listNotifications(fixture)).notifications;
  const read = await fixture.browser.call(notifications.markNotificationsRead, {
    body: { ids: [first?.id ?? 0] },
  });
  expect(read.body).toEqual({ unread: 0 });
  expect((await listNotifications(fixture)).notifications[0]?.read).toBe(true);
});
