import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { type Mailbox, startMailbox } from '@lessonbook/fakes/mailbox';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newStudent, newSubject } from '../../test/factories.ts';
import { createTaughtLesson } from '../../test/payment-fixture.ts';
import { hurryRetries } from '../../test/queue-idle.ts';
import { settledMessages } from '../../test/settled-messages.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createVerifiedTutor } from '../../test/tutor.ts';
import { MAX_ATTEMPTS } from './service/job-types.ts';

/* A mail server that answers late, wrongly or not at all. */

let app: TestApp;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  // Half a minute of silence is a fault; here two seconds must do, which no answer on a slow machine takes.
  const SMTP_URL = `${mailbox.smtpUrl}?socketTimeout=2000`;
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000', SMTP_URL });
});
afterAll(async () => {
  await app.close();
  await mailbox.stop();
});

let books = 0;
async function remind() {
  books += 1;
  const { browser } = await createVerifiedTutor({ ...app, mailbox });
  const email = `payer${books}@families.example`;
  const student = await newStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: email,
  });
  const subject = await newSubject(browser, { name: 'Maths', defaultFee: 35 });
  await createTaughtLesson(
    { browser, studentId: student.id, subjectId: subject.id },
    student.id,
    '2026-11-10',
  );
  const send = () =>
    browser.call(messages.sendReminder, {
      body: { familyId: student.familyId as number, channel: 'email' },
    });
  const mails = () => mailbox.mails().filter((mail) => mail.to.includes(email));
  const log = async () => (await browser.call(messages.listMessages, { query: {} })).body;
  const settled = async () => {
    const [message] = await settledMessages(browser);
    if (!message) throw new Error('there is no message');
    return message;
  };
  return { browser, send, mails, log, settled };
}

const failedAttempts = async () => {
  const { rows } = await app.admin.query<{ attempts: number }>(
    `select attempts from messages where state = 'waiting'`,
  );
  return rows[0]?.attempts;
};

test('a server that hangs before the letter: it is tried again, and arrives once', async () => {
  const book = await remind();
  const release = mailbox.stallBeforeData();
  await book.send();
  await release.held;
  await expect.poll(failedAttempts).toBe(1);
  expect(await book.log()).toMatchObject([{ state: 'waiting' }]);
  release();
  await hurryRetries(app, 'send-message');
  expect(await book.settled()).toMatchObject({ state: 'sent', problem: null });
  expect(book.mails()).toHaveLength(1);
});

test('a server that takes the letter and hangs up: it may come twice, and both are the same mail', async () => {
  const book = await remind();
  mailbox.dropAfterData();
  await book.send();
  await hurryRetries(app, 'send-message');
  expect(await book.settled()).toMatchObject({ state: 'sent', problem: null });
  const ids = book.mails().map((mail) => mail.headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a server that says "not now" for hours: in the end the tutor is told, and the address is not given up', async () => {
  const book = await remind();
  mailbox.refuseNext(451, 2);
  await book.send();
  // After the first try in vain, all others but the last are skipped.
  const skipTries = `update messages set attempts = $1 where state = 'waiting' and attempts = 1`;
  await waitUntil(
    async () => (await app.admin.query(skipTries, [MAX_ATTEMPTS - 1])).rowCount === 1,
    () => 'the first try is not noted',
  );
  await hurryRetries(app, 'send-message');
  const message = await book.settled();
  expect(message).toMatchObject({
    state: 'failed',
    problem: 'The mail could not be delivered for several hours. Please try again later.',
  });
  const inbox = await book.browser.call(notifications.listNotifications, { query: {} });
  expect(inbox.body.notifications).toMatchObject([{ kind: 'message_failed' }]);
  await book.browser.call(messages.retryMessage, { params: { id: message.id } });
  await mailbox.waitFor((mail) => book.mails().includes(mail));
});
