import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { type Mailbox, startMailbox } from '@lessonbook/fakes/mailbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createCompletedLesson } from '../../test/payment-fixture.ts';
import { exhaustRetries, retryFailedJobsNow } from '../../test/queue-idle.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createVerifiedTutor, findTutorId } from '../../test/tutor.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';

let app: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  // Shorter than in production, but long enough for slow machines.
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
  const { browser, input } = await createVerifiedTutor({ ...app, mailbox });
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

const failedAttempts = async () => {
  const { rows } = await app.admin.query<{ attempts: number }>(
    `select attempts from messages where state = 'waiting'`,
  );
  return rows[0]?.attempts;
};

test('after a timeout before the data, the email is retried and arrives once', async () => {
  const family = await createFamilyWithDebt();
  const release = mailbox.stallBeforeData();
  await family.send();
  await release.held;
  await expect.poll(failedAttempts).toBe(1);
  expect(await family.log()).toMatchObject([{ state: 'waiting' }]);
  release();
  await retryFailedJobsNow(app, 'send-message');
  expect(await family.waitUntilProcessed()).toMatchObject({ state: 'sent', problem: null });
  expect(family.emails()).toHaveLength(1);
});

test('if the connection closes after the data, the email may arrive twice with the same Message-ID', async () => {
  const family = await createFamilyWithDebt();
  mailbox.dropAfterData();
  await family.send();
  await retryFailedJobsNow(app, 'send-message');
  expect(await family.waitUntilProcessed()).toMatchObject({ state: 'sent', problem: null });
  const ids = family.emails().map((mail) => mail.headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
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
