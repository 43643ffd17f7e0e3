import { messages } from '@lessonbook/contract/messages';
import { dayChanges } from '@lessonbook/contract/move-online-or-cancel-days';
import { notifications } from '@lessonbook/contract/notifications';
import { notArrived } from '@lessonbook/contract/student-not-arrived-messages';
import { type Mailbox, startMailbox } from '@lessonbook/fakes/mailbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { createCompletedLesson } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  exhaustRetries,
  retryFailedJobsNow,
  waitUntilQueueIdle,
} from '../../test/wait-for-queue-and-control-retries.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';

let app: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  // The timeout is shorter than in production, but long enough for slow machines.
  const SMTP_URL = `${mailbox.smtpUrl}?socketTimeout=2000`;
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000', SMTP_URL });
});
afterAll(async () => {
  await app.close();
  await mailbox.stop();
});

let familyCount = 0;
async function createFamilyWithDebt() {
  familyCount += 1;
  const { browser, input } = await createTutorWhoCanEmailFamilies({ ...app, mailbox });
  const tutorId = await findTutorId(app, input);
  const email = `payer${familyCount}@families.example`;
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: email,
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  await createCompletedLesson(
    { browser, studentId: student.id, subjectId: subject.id },
    student.id,
    '2026-11-10',
  );
  const send = () =>
    browser.call(messages.sendReminder, {
      body: { familyId: student.familyId as number, channel: 'email' },
    });
  const emails = () => mailbox.emails().filter((mail) => mail.to.includes(email));
  const log = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  const waitUntilProcessed = async () => {
    const [message] = await waitUntilMessagesProcessed(browser);
    if (!message) throw new Error('No message');
    return message;
  };
  return { browser, tutorId, send, emails, log, waitUntilProcessed };
}

const readAttempts = async () => {
  const { rows } = await app.admin.query<{ attempts: number }>(
    `select attempts from messages where state = 'waiting'`,
  );
  return rows[0]?.attempts;
};

test('after a timeout before the data is sent, the email is retried and arrives once', async () => {
  const family = await createFamilyWithDebt();
  const stall = mailbox.stallBeforeData();
  await family.send();
  await stall.reached;
  await expect.poll(readAttempts).toBe(1);
  expect(await family.log()).toMatchObject([{ state: 'waiting' }]);
  stall.release();
  await retryFailedJobsNow(app, 'send-message');
  expect(await family.waitUntilProcessed()).toMatchObject({ state: 'sent', problem: null });
  expect(family.emails()).toHaveLength(1);
});

test('if the connection closes after the data is sent, the email arrives twice with the same Message-ID', async () => {
  const family = await createFamilyWithDebt();
  mailbox.dropAfterData();
  await family.send();
  await retryFailedJobsNow(app, 'send-message');
  expect(await family.waitUntilProcessed()).toMatchObject({ state: 'sent', problem: null });
  const ids = family.emails().map((mail) => mail.headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a notice that is retried after a newer one about the same lesson is not sent', async () => {
  const { browser } = await createTutorWhoCanEmailFamilies({ ...app, mailbox });
  const ruth = 'ruth@snow.example';
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: ruth,
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: maya.id, subjectId: subject.id };
  const { sessionId } = await addLesson(fixture, { place: 'At Ada’s' });
  mailbox.rejectNext(451, 1);
  const day = '2026-11-17';
  const link = 'https://meet.example/ada';
  const { body: change } = await browser.call(dayChanges.changeDays, {
    body: { action: 'online', fromDate: day, toDate: day, sessionIds: [sessionId], link },
  });
  await expect.poll(readAttempts).toBe(1);
  await browser.call(dayChanges.undoDayChange, { params: { id: change.id } });
  await mailbox.waitFor((mail) => mail.to.includes(ruth));
  await retryFailedJobsNow(app, 'send-message');
  await waitUntilQueueIdle(app.admin, 'send-message');
  const emails = mailbox.emails().filter(({ to }) => to.includes(ruth));
  expect(emails.map((mail) => mail.subject)).toEqual(['Lesson no longer online: Maya, Tue 17 Nov']);
});

test('after a failed attempt, a message about a missing student can be replaced, and the original is not retried', async () => {
  const { browser } = await createTutorWhoCanEmailFamilies({ ...app, mailbox });
  const ruth = 'ruth@late.example';
  const maya = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: ruth,
    carerPhone: '+447700900123',
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: maya.id, subjectId: subject.id };
  const { sessionId } = await addLesson(fixture);
  app.clock.set('2026-11-17T16:10:00Z');
  mailbox.rejectNext(451, 1);
  const params = { id: sessionId };
  const send = (channel: 'email' | 'whatsapp', replacesMessageId: number | null) =>
    browser.call(notArrived.sendNotArrived, {
      params,
      body: { messages: [{ studentId: maya.id, channel, replacesMessageId }] },
    });
  const first = (await send('email', null)).body.messages[0]?.id ?? 0;
  await expect.poll(readAttempts).toBe(1);
  const [shown] = (await browser.call(notArrived.previewNotArrived, { params })).body;
  expect(shown?.sent).toMatchObject({ messageId: first, state: 'waiting', canSendAgain: true });
  expect((await send('whatsapp', null)).status).toBe(409);
  expect((await send('whatsapp', first)).status).toBe(201);
  await retryFailedJobsNow(app, 'send-message');
  await waitUntilQueueIdle(app.admin, 'send-message');
  expect(mailbox.emails().filter(({ to }) => to.includes(ruth))).toEqual([]);
  await app.restartClock();
});

test('F11 after a day of temporary rejections, the tutor is notified and the address is not suppressed', async () => {
  const family = await createFamilyWithDebt();
  mailbox.rejectNext(451, 2);
  await family.send();
  await exhaustRetries(app, 'send-message', family.tutorId);
  const message = await family.waitUntilProcessed();
  expect(message).toMatchObject({
    state: 'failed',
    problem:
      "We tried for a day but couldn't deliver this email. Please check the address, then try again.",
  });
  const list = await family.browser.call(notifications.listNotifications, { query: {} });
  expect(list.body.notifications).toMatchObject([{ kind: 'message_failed' }]);
  await family.browser.call(messages.retryMessage, { params: { id: message.id } });
  await mailbox.waitFor((mail) => family.emails().includes(mail));
});
