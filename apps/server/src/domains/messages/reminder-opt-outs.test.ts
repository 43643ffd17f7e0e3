import { accounts } from '@lessonbook/contract/accounts';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { messages, type ReminderKind } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  createTutorWithFamilies,
  OLDER_ACCOUNT,
  sendPaymentReminder,
} from '../../test/tutor-with-families.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

let familyCount = 0;

/** A family that owes £35 and has received a payment reminder with an unsubscribe link. */
async function createRemindedFamily() {
  familyCount += 1;
  const address = `stop${familyCount}@families.example`;
  const tutor = await createTutorWithFamilies(app, OLDER_ACCOUNT, address);
  const { browser } = tutor;
  const familyId = tutor.families[0]?.familyId as number;
  await sendPaymentReminder(browser, { familyId });
  const mail = await app.mailbox.waitFor(({ to }) => to.includes(address));
  const token = /\/unsubscribe\/(\S+)/.exec(mail.text)?.[1] as string;
  await waitUntilMessagesProcessed(browser);
  const emails = () => app.mailbox.emails().filter(({ to }) => to.includes(address));
  const choose = async (...stoppedKinds: ReminderKind[]) =>
    (
      await app.browser().call(emailPreferences.saveReminderPreferences, {
        params: { token },
        body: { stoppedKinds },
      })
    ).body;
  const startAutomaticReminders = async () => {
    const { body } = await browser.call(reminders.reminderSettings);
    const { enabledAt: _enabledAt, defaultTemplates: _templates, ...settings } = body;
    await browser.call(reminders.saveReminderSettings, {
      body: { ...settings, overdueEnabled: true },
    });
    await browser.call(reminders.startReminders, { body: { excludedKeys: [] } });
    app.clock.advance({ hours: 5 });
    await sendTutorReminders(app.context, tutor.tutorId);
    return waitUntilMessagesProcessed(browser);
  };
  return { ...tutor, address, familyId, mail, token, emails, choose, startAutomaticReminders };
}

const STOPPED =
  'Ruth Hale has unsubscribed from payment reminders. You can still send an invoice, or contact them yourself.';

test('F74 a manual reminder to a family that has unsubscribed from payment reminders is rejected on every channel', async () => {
  const family = await createRemindedFamily();
  const { browser, familyId } = family;
  await app.admin.query(`update contacts set phone = '+447700900123' where tutor_id = $1`, [
    family.tutorId,
  ]);
  const draft = await browser.call(messages.sendReminder, {
    body: { familyId, channel: 'whatsapp' },
  });
  await family.choose('payment_reminder');
  for (const channel of ['email', 'whatsapp'] as const) {
    const body = { familyId, channel };
    const preview = await browser.call(messages.previewReminder, { body });
    expect(preview.body.problem).toBe(STOPPED);
    const sent = await browser.call(messages.sendReminder, { body });
    expect([sent.status, sent.error.message]).toEqual([409, STOPPED]);
  }
  // A draft created earlier can no longer be opened.
  const id = draft.body.messages[0]?.id as number;
  expect((await browser.call(messages.markMessageOpened, { params: { id } })).status).toBe(409);
  expect(family.emails()).toHaveLength(1);
});

test('F74 the tutor is notified of the opt-out and can see it for the family', async () => {
  const { browser, familyId, choose } = await createRemindedFamily();
  const read = async () =>
    (await browser.call(emailPreferences.familyReminders, { params: { id: familyId } })).body;
  expect(await read()).toEqual({ stoppedKinds: [], hasStoppedWhatsApp: false });
  await choose('lesson_reminder', 'payment_reminder');
  await choose('lesson_reminder', 'payment_reminder');
  expect((await read()).stoppedKinds).toEqual(['lesson_reminder', 'payment_reminder']);
  await choose('lesson_reminder');
  const list = await browser.call(notifications.listNotifications, { query: {} });
  expect(list.body.notifications).toMatchObject([
    { kind: 'reminders_stopped', text: 'Ruth Hale will get payment reminders again.' },
    {
      kind: 'reminders_stopped',
      text: "Ruth Hale has unsubscribed from lesson and payment reminders. They'll still get invoices and changes to lessons.",
      path: `/families/${familyId}`,
    },
  ]);
});

test('F86 the List-Unsubscribe link opens the page with GET and stops all reminders with POST', async () => {
  const { mail, token, browser } = await createRemindedFamily();
  const url = new URL(/<(.+)>/.exec(String(mail.headers['list-unsubscribe']))?.[1] as string);
  const opened = await app.browser().send('GET', url.pathname);
  expect([opened.status, opened.headers.get('location')]).toEqual([303, `/unsubscribe/${token}`]);
  const read = () =>
    app.browser().call(emailPreferences.reminderPreferences, { params: { token } });
  const readRevision = async () => (await browser.call(accounts.me)).body.revision;
  const revision = await readRevision();
  expect((await read()).body).toEqual({ tutorName: 'Ada Fenwick', stoppedKinds: [] });
  // Mail scanners open links, and this must not make the tutor's windows refetch.
  expect(await readRevision()).toBe(revision);
  const oneClick = await fetch(`${app.url}${url.pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(oneClick.status).toBe(200);
  expect((await read()).body.stoppedKinds).toEqual([
    'lesson_notes',
    'lesson_reminder',
    'payment_reminder',
  ]);
  expect((await sendPaymentReminder(browser, { familyId: 1 })).status).toBe(409);
});

test('F86 a family that has stopped one kind of reminder still gets the other, and can turn both on again', async () => {
  const family = await createRemindedFamily();
  await family.choose('payment_reminder');
  const automatic = await family.startAutomaticReminders();
  expect(automatic.filter(({ text }) => text !== 'Anything at all.')).toMatchObject([
    { kind: 'lesson_reminder', state: 'sent' },
  ]);
  expect((await family.choose()).stoppedKinds).toEqual([]);
  await sendTutorReminders(app.context, family.tutorId);
  expect(await waitUntilMessagesProcessed(family.browser)).toMatchObject([
    { kind: 'payment_reminder', state: 'sent' },
    { kind: 'lesson_reminder' },
    { kind: 'payment_reminder' },
  ]);
});
