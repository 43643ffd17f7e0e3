import { accounts } from '@lessonbook/contract/accounts';
import { bills } from '@lessonbook/contract/bills';
import { notifications } from '@lessonbook/contract/notifications';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../test/house.ts';
import { account, teach } from '../../test/money.ts';
import { addLesson, type Desk, openDesk } from '../../test/teaching.ts';
import { mailedToken } from '../../test/tutor.ts';
import { tellTheDay } from './service/day.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => house.close());
afterEach(() => house.restartClock());

async function openTutor() {
  const desk = await openDesk(house);
  const { email } = (await desk.browser.call(accounts.me)).body;
  await desk.browser.call(accounts.confirmEmail, {
    body: { token: await mailedToken(house, email, 'verify-email') },
  });
  const familyId = 1;
  await teach(desk, desk.studentId, '2026-11-03');
  const { payToken } = await account(desk.browser, familyId);
  const claim = () => house.browser().call(bills.claimTransfer, { params: { token: payToken } });
  const mails = () =>
    house.mailbox
      .mails()
      .filter((mail) => mail.to.includes(email) && /transfer|ticked/.test(mail.subject));
  return { desk, email, claim, mails };
}
const inbox = async ({ browser }: Desk) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body;
const switches = ({ browser }: Desk, change: object) =>
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
    const { desk, email, claim, mails } = await openTutor();
    await claim();
    await house.mailbox.waitFor(() => mails().length === 1);
    expect(mails()[0]).toMatchObject({
      subject: 'Maya Okafor says that £35.00 was sent by bank transfer.',
      to: [email],
    });
    expect(await inbox(desk)).toMatchObject({ unread: 1 });
  });

  test("without 'Payment Notifications' there is none, without 'Email Notifications' only in the inbox", async () => {
    const quiet = await openTutor();
    await switches(quiet.desk, { paymentNotifications: false });
    await quiet.claim();
    expect(await inbox(quiet.desk)).toEqual({ unread: 0, notifications: [] });
    const noMail = await openTutor();
    await switches(noMail.desk, { emailNotifications: false });
    await noMail.claim();
    expect(await inbox(noMail.desk)).toMatchObject({ unread: 1 });
    // A third tutor's mail comes through the same queue: by then theirs would have come.
    const third = await openTutor();
    await third.claim();
    await house.mailbox.waitFor(() => third.mails().length === 1);
    expect([...quiet.mails(), ...noMail.mails()]).toEqual([]);
  });
});

describe('[ROUTE-25] the evening', () => {
  test('says once a day what is to be ticked off, and when the trial ends', async () => {
    const { desk } = await openTutor();
    await addLesson(desk, { date: '2026-11-16', startTime: '16:00', endTime: '17:00' });
    await tellTheDay(house.context);
    expect((await inbox(desk)).notifications).toEqual([]);
    house.clock.forward({ hours: 8, minutes: 30 });
    await tellTheDay(house.context);
    await tellTheDay(house.context);
    expect((await inbox(desk)).notifications).toMatchObject([
      { kind: 'sessions_to_complete', text: '1 lesson is to be ticked off.', needsYou: true },
    ]);
    house.clock.forward({ days: 11 });
    await tellTheDay(house.context);
    const kinds = (await inbox(desk)).notifications.map((each) => each.kind);
    expect(kinds).toContain('trial_ending');
  });
});

test('an open window hears of news at once, and marking as read is counted', async () => {
  const { desk, claim } = await openTutor();
  const cookie = [...desk.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stop = new AbortController();
  const response = await fetch(`${house.url}${notifications.newsStream.path}`, {
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
  const [first] = (await inbox(desk)).notifications;
  const read = await desk.browser.call(notifications.readNotifications, {
    body: { ids: [first?.id ?? 0] },
  });
  expect(read.body).toEqual({ unread: 0 });
  expect((await inbox(desk)).notifications[0]?.read).toBe(true);
});
