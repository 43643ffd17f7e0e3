import { accounts } from '@lessonbook/contract/accounts';
import { notifications } from '@lessonbook/contract/notifications';
import { publicInvoices } from '@lessonbook/contract/public-invoice';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addLesson, createLessonFixture, type LessonFixture } from '../../test/lesson-fixture.ts';
import { createTaughtLesson, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { readMailedToken } from '../../test/tutor.ts';
import { sendDailyDigests } from './service/notifications/daily-digest.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

async function createTutor() {
  const fixture = await createLessonFixture(app);
  const { email } = (await fixture.browser.call(accounts.me)).body;
  await fixture.browser.call(accounts.confirmEmail, {
    body: { token: await readMailedToken(app, email, 'verify-email') },
  });
  const familyId = 1;
  await createTaughtLesson(fixture, fixture.studentId, '2026-11-03');
  const { payToken } = await readFamily(fixture.browser, familyId);
  const claim = () =>
    app.browser().call(publicInvoices.claimTransfer, { params: { token: payToken } });
  const mails = () =>
    app.mailbox
      .mails()
      .filter((mail) => mail.to.includes(email) && /transfer|ticked/.test(mail.subject));
  return { desk: fixture, email, claim, mails };
}
const inbox = async ({ browser }: LessonFixture) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body;
const switches = ({ browser }: LessonFixture, change: object) =>
  browser.call(accounts.updateNotificationSettings, {
    body: {
      emailNotifications: true,
      lessonReminders: true,
      paymentNotifications: true,
      ...change,
    },
  });

describe('[SET-21] the switches are obeyed', () => {
  test('news of money comes into the inbox and by mail', async () => {
    const { desk: fixture, email, claim, mails } = await createTutor();
    await claim();
    await app.mailbox.waitFor(() => mails().length === 1);
    expect(mails()[0]).toMatchObject({
      subject: 'Maya Okafor says that £35.00 was sent by bank transfer.',
      to: [email],
    });
    expect(await inbox(fixture)).toMatchObject({ unread: 1 });
  });

  test("without 'Payment Notifications' there is none, without 'Email Notifications' only in the inbox", async () => {
    const quiet = await createTutor();
    await switches(quiet.desk, { paymentNotifications: false });
    await quiet.claim();
    expect(await inbox(quiet.desk)).toEqual({ unread: 0, notifications: [] });
    const noMail = await createTutor();
    await switches(noMail.desk, { emailNotifications: false });
    await noMail.claim();
    expect(await inbox(noMail.desk)).toMatchObject({ unread: 1 });
    // A third tutor's mail comes through the same queue: by then theirs would have come.
    const third = await createTutor();
    await third.claim();
    await app.mailbox.waitFor(() => third.mails().length === 1);
    expect([...quiet.mails(), ...noMail.mails()]).toEqual([]);
  });
});

describe('[ROUTE-25] the evening', () => {
  test('says once a day what is to be ticked off, and when the trial ends', async () => {
    const { desk: fixture } = await createTutor();
    await addLesson(fixture, { date: '2026-11-16', startTime: '16:00', endTime: '17:00' });
    await sendDailyDigests(app.context);
    expect((await inbox(fixture)).notifications).toEqual([]);
    app.clock.forward({ hours: 8, minutes: 30 });
    await sendDailyDigests(app.context);
    await sendDailyDigests(app.context);
    expect((await inbox(fixture)).notifications).toMatchObject([
      { kind: 'sessions_to_complete', text: '1 lesson is to be ticked off.', requiresAction: true },
    ]);
    app.clock.forward({ days: 11 });
    await sendDailyDigests(app.context);
    const kinds = (await inbox(fixture)).notifications.map((each) => each.kind);
    expect(kinds).toContain('trial_ending');
  });
});

test('an open window hears of news at once, and marking as read is counted', async () => {
  const { desk: fixture, claim } = await createTutor();
  const cookie = [...fixture.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stop = new AbortController();
  const response = await fetch(`${app.url}${notifications.notificationStream.path}`, {
    headers: { cookie },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const heard = (async () => {
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done || part.value.includes('data:')) return part?.value ?? '';
    }
  })();
  await claim();
  expect(await heard).toContain('data:');
  stop.abort();
  const [first] = (await inbox(fixture)).notifications;
  const read = await fixture.browser.call(notifications.markNotificationsRead, {
    body: { ids: [first?.id ?? 0] },
  });
  expect(read.body).toEqual({ unread: 0 });
  expect((await inbox(fixture)).notifications[0]?.read).toBe(true);
});
