import { accounts } from '@lessonbook/contract/accounts';
import { arrears } from '@lessonbook/contract/arrears';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { createCompletedLesson } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { checkInstalments } from '../payments/service/instalment-plans.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** Advances the clock one day at a time and runs the reminder job each afternoon. The tutor makes no requests. */
async function advanceDaysAndSendReminders(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    app.clock.advance({ days: 1 });
    await sendDueReminders(app.context);
    await waitUntilQueueIdle(app.admin);
  }
}

test('after 21 days of inactivity, of which the tutor is warned by email, reminders to families stop until the tutor logs in', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const family = 'ruth@families.example';
  const carer = { carerName: 'Ruth Hale', carerEmail: family };
  const maya = await createStudent(browser, { name: 'Maya Hale', ...carer });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: maya.id, subjectId: subject.id };
  await addLesson(fixture, { isRecurring: true, recurringEndDate: '2027-02-26' });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  const { body: settings } = await browser.call(accounts.notificationSettings);
  await browser.call(accounts.updateNotificationSettings, {
    body: { ...settings, emailNotifications: false },
  });
  const emailsTo = (address: string) =>
    app.mailbox.emails().filter((mail) => mail.to.includes(address));
  const listPauseEmails = () =>
    emailsTo(input.email).filter(({ text }) => /reminders/i.test(text ?? ''));
  app.clock.advance({ hours: 5 });
  await browser.call(accounts.me);

  await advanceDaysAndSendReminders(17);
  await app.mailbox.waitFor(() => emailsTo(family).length === 2);
  expect(listPauseEmails()).toEqual([]);

  await advanceDaysAndSendReminders(2);
  await app.mailbox.waitFor(() => listPauseEmails().length === 1);
  expect(listPauseEmails()[0]?.subject).toMatch(
    /^Reminders to your families will stop on Mon 7 Dec unless you open Lessonbook before then$/,
  );
  expect(listPauseEmails()[0]?.text).not.toContain('turn these emails off');

  await advanceDaysAndSendReminders(2);
  await app.mailbox.waitFor(() => listPauseEmails().length === 2);
  expect(listPauseEmails()[1]?.text).toContain("you haven't used Lessonbook for 21 days");
  const before = emailsTo(family).length;
  await advanceDaysAndSendReminders(21);
  expect(listPauseEmails()).toHaveLength(2);

  // Any request counts as activity. The tutor logs in here because a login does not stay valid for six weeks.
  await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
  await waitUntilMessagesProcessed(browser);
  expect(emailsTo(family)).toHaveLength(before);
  const list = await browser.call(notifications.listNotifications, { query: {} });
  expect(list.body.notifications.filter(({ kind }) => kind === 'reminders_paused')).toHaveLength(2);
  await advanceDaysAndSendReminders(7);
  await app.mailbox.waitFor(() => emailsTo(family).length > before);
});

test('inactivity also stops payment reminders, but invoices stay accessible, and all reminders resume within an hour of a login', async () => {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const email = 'omar@families.example';
  const carer = { carerName: 'Omar Aziz', carerEmail: email };
  const student = await createStudent(browser, { name: 'Sara Aziz', ...carer });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: student.id, subjectId: subject.id };
  const familyId = student.familyId as number;
  await createCompletedLesson(fixture, student.id, '2026-11-10');
  const agreed = await browser.call(arrears.agreeInstalments, {
    params: { id: familyId },
    body: { currency: 'GBP', amount: 3500, count: 2, frequency: 'monthly', firstOn: '2026-12-08' },
  });
  expect(agreed.status).toBe(200);
  const draft = await browser.call(invoices.draftInvoice, {
    body: { familyId, from: '2026-11-01', to: '2026-11-15' },
  });
  const id = draft.body[0]?.id as number;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  const { body: sent } = await browser.call(messages.sendInvoice, {
    params: { id },
    body: { channel: 'email' },
  });
  const token = /\/pay\/([\w-]+)/.exec(sent.messages[0]?.text ?? '')?.[1] as string;
  const { body } = await browser.call(reminders.reminderSettings);
  const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
  await browser.call(reminders.saveReminderSettings, {
    body: { ...settings, overdueEnabled: true, overdueDays: [1] },
  });
  await addLesson(fixture, { isRecurring: true, recurringEndDate: '2027-02-26' });
  await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
  const listReminderKinds = async () =>
    (await waitUntilMessagesProcessed(browser))
      .map(({ kind }) => kind)
      .filter((kind) => kind.endsWith('reminder'));

  // A Monday afternoon with a lesson the next day, after the first instalment was due.
  app.clock.set('2026-12-14T16:30:00Z');
  await checkInstalments(app.context);
  await sendDueReminders(app.context);
  await waitUntilQueueIdle(app.admin);
  const { rows } = await app.admin.query(
    `select count(*)::int as count from messages where tutor_id = $1 and kind like '%reminder'`,
    [tutorId],
  );
  expect(rows[0].count).toBe(0);
  const bill = await fetch(`${app.url}/api/pay/${token}/pdf`);
  expect([bill.status, bill.headers.get('content-type')]).toEqual([200, 'application/pdf']);

  const login = await browser.call(accounts.login, {
    body: { username: input.username, password: input.password },
  });
  expect(login.status).toBe(200);
  app.clock.advance({ hours: 1 });
  await sendDueReminders(app.context);
  expect(await listReminderKinds()).toEqual(['payment_reminder', 'lesson_reminder']);
});
