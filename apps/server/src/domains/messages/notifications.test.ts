import { randomInt } from 'node:crypto';
import { accounts } from '@lessonbook/contract/accounts';
import { families } from '@lessonbook/contract/families';
import { notifications } from '@lessonbook/contract/notifications';
import { publicBills } from '@lessonbook/contract/public-bill';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findTutorId, readTokenFromEmail } from '../../test/create-tutor.ts';
import { openEventStream } from '../../test/event-stream.ts';
import { createGroupFixture, type Group } from '../../test/group-lesson-fixture.ts';
import { cancelSeat, cancelSession, restoreSeat } from '../../test/group-lesson-requests.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  type LessonFixture,
} from '../../test/lesson-fixture.ts';
import { createCompletedLesson, createPayment, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { overlapsFound } from '../lessons/events.ts';
import { sendDailyNotifications } from './service/notifications/daily-notifications.ts';
import { createMessage } from './service/outbound/create-message.ts';

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
  const emails = () =>
    app.mailbox
      .emails()
      .filter((mail) => mail.to.includes(email) && /transfer|complete/.test(mail.subject));
  return { fixture, email, claim, emails };
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
    const { fixture, email, claim, emails } = await createNotifiedTutor();
    await claim();
    await app.mailbox.waitFor(() => emails().length === 1);
    expect(emails()[0]).toMatchObject({
      subject: "Maya Okafor says they've paid £35.00 by bank transfer",
      to: [email],
    });
    expect(await listNotifications(fixture)).toMatchObject({ unread: 1 });
  });

  test("turning off 'Payment Notifications' prevents the notification; turning off 'Email Notifications' prevents its email", async () => {
    const withoutPayments = await createNotifiedTutor();
    await updateSettings(withoutPayments.fixture, { paymentNotifications: false });
    await withoutPayments.claim();
    expect(await listNotifications(withoutPayments.fixture)).toEqual({
      unread: 0,
      open: [],
      notifications: [],
    });
    const withoutEmail = await createNotifiedTutor();
    await updateSettings(withoutEmail.fixture, { emailNotifications: false });
    await withoutEmail.claim();
    expect(await listNotifications(withoutEmail.fixture)).toMatchObject({ unread: 1 });
    // A third tutor's email goes through the same queue, so once it arrives, any earlier email would have arrived too.
    const third = await createNotifiedTutor();
    await third.claim();
    await app.mailbox.waitFor(() => third.emails().length === 1);
    expect([...withoutPayments.emails(), ...withoutEmail.emails()]).toEqual([]);
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
      {
        kind: 'sessions_to_complete',
        text: '1 lesson needs to be marked as complete.',
        requiresAction: true,
      },
    ]);
    app.clock.advance({ days: 11 });
    await sendDailyNotifications(app.context);
    const kinds = (await listNotifications(fixture)).notifications.map((each) => each.kind);
    expect(kinds).toContain('trial_ending');
  });
});

describe('a group with fewer students than its minimum', () => {
  const createSmallGroup = async (minStudents: number) => {
    const group = await createGroupFixture(app, {
      date: '2026-11-17',
      startTime: '17:45',
      endTime: '18:45',
      minStudents,
    });
    await cancelSeat(group.browser, group.sessionId, group.ida.id);
    return group;
  };
  const runInTheEvening = async () => {
    app.clock.advance({ hours: 8, minutes: 30 });
    await sendDailyNotifications(app.context);
    await sendDailyNotifications(app.context);
  };

  test('the tutor is asked once, the day before', async () => {
    const { fixture, sessionId } = await createSmallGroup(3);
    await runInTheEvening();
    expect((await listNotifications(fixture)).open).toMatchObject([
      {
        kind: 'group_below_minimum',
        text: 'Year 11 maths on Tue 17 Nov, 5:45pm: only 2 students are expected, and the minimum is 3.',
        path: `/sessions/${sessionId}`,
        targetId: sessionId,
      },
    ]);
  });

  test('the tutor is not asked two days before, or if enough students are expected or there is no minimum', async () => {
    const later = await createGroupFixture(app, { date: '2026-11-18', minStudents: 9 });
    const enough = await createSmallGroup(2);
    const unlimited = await createGroupFixture(app, { date: '2026-11-17' });
    await runInTheEvening();
    expect((await listNotifications(later.fixture)).notifications).toEqual([]);
    expect((await listNotifications(enough.fixture)).notifications).toEqual([]);
    expect((await listNotifications(unlimited.fixture)).notifications).toEqual([]);
  });

  test('the question is closed by "Teach anyway", by enough expected students, or by cancelling the session', async () => {
    const groups = [
      await createSmallGroup(3),
      await createSmallGroup(3),
      await createSmallGroup(3),
    ];
    await runInTheEvening();
    const [taught, joined, cancelled] = groups as [Group, Group, Group];
    const [open] = (await listNotifications(taught.fixture)).open;
    await taught.browser.call(notifications.markNotificationsDone, {
      body: { ids: [open?.id ?? 0] },
    });
    await restoreSeat(joined.browser, joined.sessionId, joined.ida.id);
    await cancelSession(cancelled.browser, cancelled.sessionId, { cancelledBy: 'tutor' });
    for (const { fixture } of groups) expect((await listNotifications(fixture)).open).toEqual([]);
  });
});

describe('F78 a notification requires action until it is answered or obsolete', () => {
  const openTexts = async (fixture: LessonFixture) =>
    (await listNotifications(fixture)).open.map(({ text }) => text);

  test('a reported transfer stays open after it is read, and closes when it is dismissed or paid', async () => {
    const { fixture, claim } = await createNotifiedTutor();
    await claim();
    await markAllRead(fixture);
    const text = "Maya Okafor says they've paid £35.00 by bank transfer.";
    expect(await listNotifications(fixture)).toMatchObject({
      unread: 0,
      open: [{ text, requiresAction: true, read: true }],
      notifications: [{ text, requiresAction: true }],
    });
    await fixture.browser.call(families.dismissClaim, { params: { id: 1 } });
    expect(await listNotifications(fixture)).toMatchObject({
      open: [],
      notifications: [{ text, requiresAction: false }],
    });
    // After a second report, only the second notification is open.
    app.clock.advance({ days: 1 });
    await claim();
    expect(await openTexts(fixture)).toEqual([text]);
    await createPayment(fixture.browser, 1, 3500);
    expect(await openTexts(fixture)).toEqual([]);
  });

  test('only one notification about lessons to complete is open, until they are completed', async () => {
    const { fixture } = await createNotifiedTutor();
    const { sessionId } = await addLesson(fixture, { date: '2026-11-16' });
    for (const hours of [9, 24]) {
      app.clock.advance({ hours });
      await sendDailyNotifications(app.context);
    }
    expect(await openTexts(fixture)).toEqual(['1 lesson needs to be marked as complete.']);
    await fixture.browser.call(sessions.completeSession, { params: { id: sessionId }, body: {} });
    expect(await openTexts(fixture)).toEqual([]);
  });

  test("the tutor can mark it as done, which does not change another tutor's notification", async () => {
    const { fixture, claim } = await createNotifiedTutor();
    const other = await createNotifiedTutor();
    await claim();
    await other.claim();
    const [notification] = (await listNotifications(fixture)).open;
    const markDone = () =>
      fixture.browser.call(notifications.markNotificationsDone, {
        body: { ids: [notification?.id as number] },
      });
    expect((await markDone()).body).toEqual({ unread: 0 });
    expect((await markDone()).status).toBe(200);
    expect(await openTexts(fixture)).toEqual([]);
    expect(await openTexts(other.fixture)).toHaveLength(1);
  });
});

const readRevision = async ({ browser }: LessonFixture) =>
  (await browser.call(accounts.me)).body.revision;
const markAllRead = ({ browser }: LessonFixture) =>
  browser.call(notifications.markNotificationsRead, { body: {} });

describe('F20 notifications do not make every window refetch', () => {
  test('reading and emailing notifications does not change the revision', async () => {
    const { fixture, claim, emails } = await createNotifiedTutor();
    await claim();
    const revision = await readRevision(fixture);
    await app.mailbox.waitFor(() => emails().length === 1);
    await waitUntilQueueIdle(app.admin, 'notification-mail');
    await listNotifications(fixture);
    expect((await markAllRead(fixture)).body).toEqual({ unread: 0 });
    expect(await readRevision(fixture)).toBe(revision);
  });

  test('marking notifications as read does not wait for the lock, and refreshes the badge in other windows once', async () => {
    const { fixture, claim } = await createNotifiedTutor();
    await claim();
    const { username } = (await fixture.browser.call(accounts.me)).body;
    const tutorId = await findTutorId(app, { username });
    const other = await openEventStream(app.url, fixture.browser);
    const event = other.nextEvent();
    await app.context.db.tutorTransaction(tutorId, async (tx) => {
      await tx.selectFrom('tutors').select('revision').execute();
      expect((await markAllRead(fixture)).body).toEqual({ unread: 0 });
    });
    expect(await event).toContain('data:');
    // All notifications are read, so the next event comes from the next change and contains its revision.
    await markAllRead(fixture);
    const next = other.nextEvent();
    await fixture.browser.call(families.dismissClaim, { params: { id: 1 } });
    app.clock.advance({ minutes: 1 });
    await claim();
    expect(await next).toMatch(/data: \d+/);
    other.close();
  });
});

test('F17 a notification about hundreds of overlaps is stored exactly once', async () => {
  const { fixture } = await createNotifiedTutor();
  const { username } = (await fixture.browser.call(accounts.me)).body;
  const tutorId = await findTutorId(app, { username });
  const overlaps = Array.from({ length: 500 }, () => ({
    date: '2026-11-17',
    startTime: '16:00',
    endTime: '17:00',
    withSessionId: randomInt(2 ** 31 - 1),
    withTitle: 'Maths',
    withStartTime: '16:30',
    withEndTime: '17:30',
  }));
  const publish = () =>
    app.context.db.tutorTransaction(tutorId, (tx) =>
      app.context.events.publish(tx, overlapsFound, { tutorId, overlaps }),
    );
  await publish();
  await publish();
  const { notifications: list } = await listNotifications(fixture);
  expect(list.map(({ kind }) => kind)).toEqual(['overlap_accepted']);
});

test('F17 a message about hundreds of lessons is stored exactly once', async () => {
  const { fixture } = await createNotifiedTutor();
  const { username } = (await fixture.browser.call(accounts.me)).body;
  const tutorId = await findTutorId(app, { username });
  const ids = Array.from({ length: 500 }, () => randomInt(2 ** 31 - 1)).join(',');
  const create = () =>
    app.context.db.tutorTransaction(tutorId, (tx) =>
      createMessage(app.context, tx, tutorId, {
        dedupeKey: `cancelled c1 ${ids} whatsapp`,
        kind: 'lesson_change',
        channel: 'whatsapp',
        familyId: null,
        toName: 'Ruth Hale',
        address: '+447700900123',
        timeZone: null,
        subject: 'Lessons cancelled',
        text: 'These lessons have been cancelled.',
      }),
    );
  expect(await create()).toBe(1);
  expect(await create()).toBeNull();
});

test('new notifications are streamed to open windows, and marking them as read updates the count', async () => {
  const { fixture, claim } = await createNotifiedTutor();
  const stream = await openEventStream(app.url, fixture.browser);
  expect(stream.contentType).toBe('text/event-stream');
  const firstEvent = stream.nextEvent();
  await claim();
  expect(await firstEvent).toContain('data:');
  stream.close();
  const [first] = (await listNotifications(fixture)).notifications;
  const read = await fixture.browser.call(notifications.markNotificationsRead, {
    body: { ids: [first?.id ?? 0] },
  });
  expect(read.body).toEqual({ unread: 0 });
  expect((await listNotifications(fixture)).notifications[0]?.read).toBe(true);
});
