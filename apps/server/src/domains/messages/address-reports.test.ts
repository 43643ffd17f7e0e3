import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { metricValue } from '../../test/metric-value.ts';
import { createCompletedLesson } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  createTutorWithFamilies,
  NEW_ACCOUNT,
  OLDER_ACCOUNT,
  sendPaymentReminder,
} from '../../test/tutor-with-families.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const REPORTED =
  'Ruth Hale asked not to get emails from you. Please check the address, or contact them another way.';

/** Waits for an email to the address and returns the actions available through its link. */
async function openLink(address: string) {
  const mail = await app.mailbox.waitFor(({ to }) => to.includes(address));
  const token = /\/unsubscribe\/(\S+)/.exec(mail.text ?? '')?.[1] as string;
  return {
    report: () => app.browser().call(emailPreferences.reportEmail, { params: { token } }),
    withdraw: () => app.browser().call(emailPreferences.withdrawReport, { params: { token } }),
  };
}

/** Creates a tutor whose email has been reported by the first family. */
async function createReportedTutor(...addresses: [string, ...string[]]) {
  const tutor = await createTutorWithFamilies(app, OLDER_ACCOUNT, ...addresses);
  expect((await sendPaymentReminder(tutor.browser, tutor.families[0])).status).toBe(201);
  await waitUntilMessagesProcessed(tutor.browser);
  const link = await openLink(addresses[0]);
  expect((await link.report()).status).toBe(200);
  return { ...tutor, link };
}

const listNotifications = async (browser: Browser) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body.notifications
    .filter(({ kind }) => kind === 'message_failed')
    .map(({ text }) => text);

async function issueInvoice(browser: Browser, familyId: number): Promise<number> {
  const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
  const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
  const id = draft?.id as number;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  return id;
}

test('F06 after a report, neither this tutor nor a new account can email the address', async () => {
  const address = 'reporter@families.example';
  const reported = await metricValue('lessonbook_address_reports_total');
  const { browser, families, link } = await createReportedTutor(address);
  expect((await link.report()).status).toBe(200);
  expect(await metricValue('lessonbook_address_reports_total')).toBe(reported + 1);
  const rejected = await sendPaymentReminder(browser, families[0]);
  expect([rejected.status, rejected.error.message]).toEqual([409, REPORTED]);
  const older = await createTutorWithFamilies(app, OLDER_ACCOUNT, address.toUpperCase());
  expect((await sendPaymentReminder(older.browser, older.families[0])).status).toBe(201);
  const newer = await createTutorWithFamilies(app, NEW_ACCOUNT, address);
  expect((await sendPaymentReminder(newer.browser, newer.families[0])).status).toBe(409);
  const { rows } = await app.admin.query('select * from address_reports');
  expect(JSON.stringify(rows)).not.toContain('reporter');
});

test('F06 the previews of all manual messages name the person who reported the tutor', async () => {
  const { browser, families } = await createReportedTutor('preview@families.example');
  const familyId = families[0]?.familyId as number;
  const channel = 'email' as const;
  const reminder = await browser.call(messages.previewReminder, { body: { familyId, channel } });
  expect(reminder.body.problem).toBe(REPORTED);
  const params = { id: await issueInvoice(browser, familyId) };
  const invoice = await browser.call(messages.previewInvoiceMessage, { params, body: { channel } });
  expect(invoice.body.problem).toBe(REPORTED);
  const sent = await browser.call(messages.sendInvoice, { params, body: { channel } });
  expect([sent.status, sent.error.message]).toEqual([409, REPORTED]);
});

test('F06 a notice to several families leaves out those who reported the tutor', async () => {
  const addresses = ['left-out@families.example', 'informed@families.example'] as const;
  const { browser, families } = await createReportedTutor(...addresses);
  for (const { sessionId } of families) {
    const body = { cancelledBy: 'tutor' as const };
    await browser.call(sessions.cancelSession, { params: { id: sessionId }, body });
  }
  const notice = (...sessionIds: number[]) => ({
    body: { sessionIds, channel: 'email' as const },
  });
  const ids = families.map(({ sessionId }) => sessionId);
  const previews = await browser.call(messages.previewChangeNotice, notice(...ids));
  const problems = new Map(previews.body.map(({ address, problem }) => [address, problem]));
  expect(problems).toEqual(
    new Map([
      [addresses[0], REPORTED],
      [addresses[1], null],
    ]),
  );
  const sent = await browser.call(messages.sendChangeNotice, notice(...ids));
  expect(sent.body.messages.map(({ address }) => address)).toEqual([addresses[1]]);
  const rejected = await browser.call(messages.sendChangeNotice, notice(ids[0] as number));
  expect([rejected.status, rejected.error.message]).toEqual([409, REPORTED]);
});

test('F06 a reported address gets no automatic emails', async () => {
  const addresses = ['silent@families.example', 'reminded@families.example'] as const;
  const { browser, tutorId, families } = await createReportedTutor(...addresses);
  const newer = await createTutorWithFamilies(app, NEW_ACCOUNT, ...addresses);
  app.clock.advance({ hours: 5 });
  for (const tutor of [{ browser, tutorId, families }, newer]) {
    const previews = await tutor.browser.call(reminders.previewFirstReminders);
    expect(previews.body.filter(({ problem }) => problem !== null)).toHaveLength(1);
    await tutor.browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
    await sendTutorReminders(app.context, tutor.tutorId);
    const sent = (await waitUntilMessagesProcessed(tutor.browser)).filter(
      ({ kind }) => kind === 'lesson_reminder',
    );
    expect(sent.map(({ address }) => address)).toEqual([addresses[1]]);
  }
});

test('F06 a waiting message to someone who then reports the tutor is skipped, and the tutor is notified once', async () => {
  const address = 'waiting@families.example';
  const { browser, link } = await createReportedTutor(address);
  const { rows } = await app.admin.query(
    `update messages set state = 'waiting', sent_at = null where address = $1
     returning tutor_id as "tutorId", id as "messageId"`,
    [address],
  );
  await sendMessage(app.context, rows[0]);
  await link.report();
  const [message] = await waitUntilMessagesProcessed(browser);
  expect(message).toMatchObject({ state: 'skipped', problem: REPORTED });
  expect(app.mailbox.emails().filter(({ to }) => to.includes(address))).toHaveLength(1);
  expect(await listNotifications(browser)).toEqual([REPORTED]);
});

test('F06 a mistaken report can be withdrawn, and other reports from the address are kept', async () => {
  const address = 'mistake@families.example';
  const first = await createReportedTutor(address);
  const second = await createTutorWithFamilies(app, OLDER_ACCOUNT, address);
  await app.admin.query(
    `insert into address_reports select address_hash, '\\x00', reported_at from address_reports`,
  );
  expect((await first.link.withdraw()).body.tutorName).toBe('Ada Fenwick');
  expect((await first.link.withdraw()).status).toBe(200);
  expect((await sendPaymentReminder(first.browser, first.families[0])).status).toBe(201);
  expect((await sendPaymentReminder(second.browser, second.families[0])).status).toBe(201);
  const newer = await createTutorWithFamilies(app, NEW_ACCOUNT, address);
  expect((await sendPaymentReminder(newer.browser, newer.families[0])).status).toBe(409);
  expect(await listNotifications(first.browser)).toEqual([
    'You can email Ruth Hale again. They reported your emails by mistake.',
    REPORTED,
  ]);
});

test('F06 a report is kept when the person is erased and added again', async () => {
  const address = 'erased@families.example';
  const { browser, families } = await createReportedTutor(address);
  const [{ carerId, studentId }] = families as [(typeof families)[0]];
  for (const body of [
    { kind: 'student' as const, id: studentId, name: 'Maya Hale' },
    { kind: 'carer' as const, id: carerId, name: 'Ruth Hale' },
  ]) {
    expect((await browser.call(privacy.erasePerson, { body })).status).toBe(200);
  }
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: address,
  });
  const subject = await createSubject(browser);
  const fixture = { browser, studentId: student.id, subjectId: subject.id };
  await createCompletedLesson(fixture, student.id, '2026-11-12');
  const id = await issueInvoice(browser, student.familyId as number);
  const sent = await browser.call(messages.sendInvoice, {
    params: { id },
    body: { channel: 'email' },
  });
  expect([sent.status, sent.error.message]).toEqual([409, REPORTED]);
});
