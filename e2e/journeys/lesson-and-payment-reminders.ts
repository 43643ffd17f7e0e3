import { addDaysToDate } from '@lessonbook/contract/dates';
import { type Browser, expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import type { MailClient } from '../mail-client.ts';
import {
  button,
  dateField,
  dialog,
  link,
  radio,
  region,
  setChecked,
  textField,
} from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { openWhatsApp, stubWhatsApp } from '../page-objects/open-whatsapp-link.ts';
import { openSessionPage } from '../page-objects/session-page.ts';
import type { Tutor } from '../sign-up-tutor.ts';
import type { InputDriver } from './input-driver.ts';

export interface JourneyContext {
  page: Page;
  browser: Browser;
  input: InputDriver;
  api: ApiClient;
  mail: MailClient;
  tutor: Tutor;
  runSendRemindersJob: () => Promise<void>;
}

/** Reminders are sent only after the tutor has seen a preview and started them; the family can stop them. */
export async function walkThroughReminders(context: JourneyContext): Promise<void> {
  const { page, browser, input, api, mail, tutor, runSendRemindersJob } = context;
  const ruth = uniqueAddress(tutor, 'ruth');
  await api.useDaytimeZone(tutor);
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: ruth });
  const { today } = await api.dashboard();
  // Less than a day away, whatever the time is now
  const tomorrow = { date: addDaysToDate(today, 1), start: '00:00' };
  const { sessionId } = await api.addLesson({ student: maya, subject: maths, ...tomorrow });

  // When reminders are switched off in the settings, they are not sent even if the tutor has started them.
  await open(page, '/settings', 'Settings');
  await setChecked(page.getByRole('switch', { name: 'Lesson Reminders' }), false);
  await startReminders(context, 'No reminders are due in the next few days.');
  await expect(page.getByText(/^Lesson reminders are switched off in/)).toBeVisible();
  await runSendRemindersJob();
  expect(await api.messages()).toEqual([]);
  await input.click(button(page, 'Stop reminders'));
  await expect(toastWithText(page, 'Reminders stopped')).toBeVisible();

  await open(page, '/settings', 'Settings');
  await setChecked(page.getByRole('switch', { name: 'Lesson Reminders' }));
  await startReminders(context, 'Ruth Hale, Lesson reminder: Tomorrow, Maya 12 midnight');
  await runSendRemindersJob();
  const reminder = await mail.waitFor(ruth, /^Lesson reminder: Tomorrow, Maya 12 midnight$/);
  expect(reminder.replyTo).toEqual([tutor.email]);
  expect(reminder.text).toContain('Maya: Maths, 12 midnight to 1am');
  expect(reminder.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  const [calendar] = reminder.attachments;
  expect(calendar?.contentType).toBe('text/calendar');
  const events = Buffer.from(String(calendar?.content), 'base64').toString();
  expect(events).toContain('SUMMARY:Maya: Maths');
  await open(page, '/messages?show=sent', 'Messages');
  const logged = messageRow(page, 'Lesson reminder: Tomorrow, Maya 12 midnight');
  await expect(logged).toContainText('Ruth Hale');
  await expect(logged).toContainText('Email');
  await expect(logged).toContainText('Sent');

  // If a session is cancelled after the reminder and the tutor does not notify the family, the app does.
  await openSessionPage(page, sessionId);
  await input.click(button(page, 'Cancel lesson'));
  const cancelDialog = dialog(page, 'Cancel lesson');
  await input.check(radio(cancelDialog, 'Me'));
  await input.click(button(cancelDialog, 'Cancel lesson'));
  const notifyDialog = dialog(page, 'Let Ruth know?');
  await expect(textField(notifyDialog, 'Subject')).toHaveValue(/^Lesson cancelled: Maya/);
  await input.click(button(notifyDialog, 'Not now'));
  await runSendRemindersJob();
  await mail.waitFor(ruth, /^Lesson cancelled: Maya/);

  // The family unsubscribes with one click, without a login.
  const [unsubscribeUrl = ''] = /http\S+\/unsubscribe\/\S+/.exec(reminder.text) ?? [];
  const publicPage = await browser.newPage();
  await open(publicPage, unsubscribeUrl, 'Stop reminders?');
  await button(publicPage, 'Stop reminders').click();
  await expect(pageHeading(publicPage, 'Reminders stopped')).toBeVisible();
  await expect(
    publicPage.getByText(/You'll still receive invoices and changes to lessons\.$/),
  ).toBeVisible();
  await publicPage.close();

  // A family that was not notified of a change at once can be notified later, from Messages or from the session.
  const later = { date: addDaysToDate(today, 10), start: '16:00' };
  const lesson = await api.addLesson({ student: maya, subject: maths, ...later });
  await openSessionPage(page, lesson.sessionId);
  await input.click(button(page, 'Move'));
  const rescheduleDialog = dialog(page, 'Move lesson');
  await input.pickDate(dateField(rescheduleDialog, 'Date'), addDaysToDate(today, 12));
  await input.click(button(rescheduleDialog, 'Move lesson'));
  await input.click(button(notifyDialog, 'Not now'));
  const { rescheduledToSessionId } = await api.session(lesson.sessionId);
  await open(page, '/messages', 'Messages');
  await expect(button(page, 'Notify Ruth Hale, Maya Hale')).toBeVisible();
  await openSessionPage(page, rescheduledToSessionId);
  const offer = region(page, 'Not sent yet');
  await expect(offer).toContainText("We haven't let Ruth know about the change.");
  await input.click(button(offer, 'Notify Ruth'));
  await input.click(button(notifyDialog, 'Send to Ruth Hale'));
  await mail.waitFor(ruth, /^Lesson moved: Maya/);
  await expect(offer).toBeHidden();
}

async function startReminders({ page, input }: JourneyContext, firstBatch: string): Promise<void> {
  await open(page, '/settings/reminders', 'Reminders');
  await input.click(button(page, 'Start reminders'));
  const startDialog = dialog(page, 'Start reminders');
  await expect(startDialog).toContainText(firstBatch);
  await input.click(button(startDialog, 'Start reminders'));
  await expect(page.getByText(/^On since /)).toBeVisible();
}

/** Sends payment reminders by email and WhatsApp; a bounced email creates a notification. */
export async function walkThroughPaymentReminders(context: JourneyContext): Promise<void> {
  const { page, browser, input, api, mail, tutor } = context;
  const ruth = uniqueAddress(tutor, 'ruth');
  await seedDebts(api, ruth);
  await stubWhatsApp(page);

  await open(page, '/', 'Good to see you, Ada');
  const sendReminder = button(region(page, 'Unpaid Past Lessons'), 'Send Reminder, Ruth Hale');
  await input.click(sendReminder);
  const form = dialog(page, 'Send reminder');
  await expect(form).toContainText(`To Ruth Hale, ${ruth}`);
  const message = await textField(form, 'Message').inputValue();
  await input.fill(textField(form, 'Message'), message.replace('Hi Ruth,', 'Dear Ruth,'));
  await input.click(button(form, 'Send reminder'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  const payUrl = await mail.waitForLink(ruth, /^Payment reminder: £35.00/);
  expect((await mail.waitFor(ruth, /^Payment reminder/)).text).toMatch(/^Dear Ruth,/);
  const publicPage = await browser.newPage();
  await open(publicPage, payUrl, 'Payment to Ada Fenwick');
  await expect(publicPage.getByText('£35.00').first()).toBeVisible();
  await publicPage.close();

  // A WhatsApp message that is opened but not yet sent waits in the outbox.
  await input.click(sendReminder);
  await input.check(radio(form, 'WhatsApp'));
  const { click } = input;
  const first = await openWhatsApp(page, click, button(form, 'Send reminder'));
  expect(first.number).toBe('447700900123');
  expect(first.text).toContain(payUrl);
  await expect(form.getByRole('group', { name: 'Sent to Ruth Hale?' })).toBeVisible();
  await input.click(button(form, 'Later'));
  await open(page, '/messages', 'Messages');
  await expect(radio(page, 'To send 1')).toBeVisible();
  const waiting = region(page, 'Waiting for you to send in WhatsApp');
  await input.click(waiting.getByRole('link', { name: /^Ruth Hale/ }));
  const reopened = await openWhatsApp(page, click, link(page, 'Open in WhatsApp'));
  expect(reopened).toEqual(first);
  await input.click(button(page, 'Mark as sent'));
  await expect(page.getByText('Nothing to send', { exact: false })).toBeVisible();
  await input.check(radio(page, 'Sent'));
  await expect(messageRow(page, 'WhatsApp')).toContainText('Marked as sent');
  await expect(messageRow(page, 'Email')).toContainText('Sent');

  // An address that rejects emails
  await open(page, `/families/${(await api.findAccount('Sami Aziz')).id}`, 'Sami Aziz');
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0);
  await input.click(button(page, 'Remind'));
  await input.click(button(dialog(page, 'Send reminder'), 'Send reminder'));
  await input.click(link(page, 'Notifications 1 unread'));
  await expect(pageHeading(page, 'Notifications')).toBeVisible();
  const notification =
    "A message to Sami Aziz couldn't be sent. Emails to this address can't be delivered.";
  await input.click(region(page, 'To do').getByRole('link', { name: new RegExp(notification) }));
  await expect(page.getByRole('article', { name: 'Message to Sami Aziz' })).toContainText(
    "Emails to this address can't be delivered.",
  );
  await expect(link(page, 'Correct the address')).toBeVisible();
  await expect(button(page, 'Try again')).toBeVisible();
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0);
}

/** One message to all families: each gets its own text, by email or in WhatsApp, and only once. */
export async function walkThroughNewMessage(context: JourneyContext): Promise<void> {
  const { page, input, api, mail, tutor } = context;
  const ruth = uniqueAddress(tutor, 'ruth');
  await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: ruth });
  await api.addStudent('Omar Aziz', { carerName: 'Sami Aziz', carerPhone: '+44 7700 900124' });

  const send = async () => {
    await open(page, '/messages/new', 'New message');
    await input.click(button(page, 'All families'));
    await input.fill(textField(page, 'Subject'), 'Half-term');
    await input.fill(textField(page, 'Message'), 'Hi {name}, no lessons for {children} next week.');
    const preview = region(page, 'Preview');
    await expect(preview).toContainText('Hi Ruth, no lessons for Maya next week.');
    await expect(preview).toContainText("Sami's message will wait in To send");
    await input.click(button(page, 'Send to 2 families'));
    await expect(pageHeading(page, 'Message sent')).toBeVisible();
  };
  await send();
  await expect(page.getByText('Waiting in To send', { exact: true })).toBeVisible();
  const received = await mail.waitFor(ruth, /^Half-term$/);
  expect(received.text).toContain('Hi Ruth, no lessons for Maya next week.');
  expect(received.text).not.toMatch(/Sami|Omar/);

  // The same text is not sent to anyone a second time.
  await send();
  await expect(page.getByText('Not sent again')).toHaveCount(2);
  await open(page, '/messages', 'Messages');
  await expect(radio(page, 'To send 1')).toBeVisible();
}

/** A message in the log: a row of a table on desktops, an item of a list on phones. */
const messageRow = (page: Page, text: string) =>
  page.getByRole('listitem').or(page.getByRole('row')).filter({ hasText: text });

/** Unique to this test, because all tests share the mailbox. */
const uniqueAddress = ({ username }: Tutor, name: string): string =>
  `${name}.${username}@families.example`;

async function seedDebts(api: ApiClient, ruth: string): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  const { today } = await api.dashboard();
  const carer = { carerName: 'Ruth Hale', carerEmail: ruth, carerPhone: '+44 7700 900123' };
  const maya = await api.addStudent('Maya Hale', carer);
  // Mail servers reject a domain label that ends in a hyphen.
  const omar = await api.addStudent('Omar Aziz', {
    carerName: 'Sami Aziz',
    carerEmail: 'sami@gone-.example',
  });
  const lesson = { subject: maths, start: '16:00' };
  await api.addCompletedLesson({ ...lesson, student: maya, date: addDaysToDate(today, -9) });
  await api.addCompletedLesson({ ...lesson, student: omar, date: addDaysToDate(today, -8) });
}
