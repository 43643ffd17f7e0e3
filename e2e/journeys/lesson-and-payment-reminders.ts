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
  row,
  setChecked,
  textField,
} from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { openWhatsApp, stubWhatsApp } from '../page-objects/whatsapp.ts';
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
  await expect(page.getByText(/^Lesson Reminders are switched off in/)).toBeVisible();
  await runSendRemindersJob();
  expect(await api.messages()).toEqual([]);
  await input.click(button(page, 'Stop reminders'));
  await expect(toastWithText(page, 'Reminders stopped')).toBeVisible();

  await open(page, '/settings', 'Settings');
  await setChecked(page.getByRole('switch', { name: 'Lesson Reminders' }));
  await startReminders(context, 'Ruth Hale, Tomorrow: Maya 12 midnight');
  await runSendRemindersJob();
  const reminder = await mail.waitFor(ruth, /^Tomorrow: Maya 12 midnight$/);
  expect(reminder.replyTo).toEqual([tutor.email]);
  expect(reminder.text).toContain('Maya: Maths, 12 midnight to 1:00 am');
  expect(reminder.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  const [calendar] = reminder.attachments;
  expect(calendar?.contentType).toBe('text/calendar');
  const events = Buffer.from(String(calendar?.content), 'base64').toString();
  expect(events).toContain('SUMMARY:Maya: Maths');
  await open(page, '/messages?show=sent', 'Messages');
  await expect(row(page, 'Ruth Hale')).toContainText(/E-mail, lesson reminder.*Sent/);

  // If a session is cancelled after the reminder and the tutor does not notify the family, the app does.
  await open(page, `/sessions/${sessionId}`, 'Session Details');
  await input.click(button(page, 'Cancel Session'));
  const cancelDialog = dialog(page, 'Cancel Session');
  await input.check(radio(cancelDialog, 'Me'));
  await input.click(button(cancelDialog, 'Cancel session'));
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
  await expect(publicPage.getByText(/You'll still get invoices\.$/)).toBeVisible();
  await publicPage.close();

  // A change that was not sent at once can be sent later, from Messages or from the session.
  const later = { date: addDaysToDate(today, 10), start: '16:00' };
  const lesson = await api.addLesson({ student: maya, subject: maths, ...later });
  await open(page, `/sessions/${lesson.sessionId}`, 'Session Details');
  await input.click(button(page, 'Reschedule Session'));
  const rescheduleDialog = dialog(page, 'Reschedule Session');
  await input.pickDate(dateField(rescheduleDialog, 'Date'), addDaysToDate(today, 12));
  await input.click(button(rescheduleDialog, 'Move session'));
  await input.click(button(notifyDialog, 'Not now'));
  const { rescheduledToSessionId } = await api.session(lesson.sessionId);
  await open(page, '/messages', 'Messages');
  await expect(button(page, 'Notify Ruth Hale, Maya Hale')).toBeVisible();
  await open(page, `/sessions/${rescheduledToSessionId}`, 'Session Details');
  const offer = region(page, 'Not sent yet');
  await expect(offer).toContainText("Ruth hasn't been sent the change.");
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

/** Sends payment reminders by e-mail and WhatsApp; a bounced e-mail creates a notification. */
export async function walkThroughPaymentReminders(context: JourneyContext): Promise<void> {
  const { page, browser, input, api, mail, tutor } = context;
  const ruth = uniqueAddress(tutor, 'ruth');
  await seedDebts(api, ruth);
  await stubWhatsApp(page);

  await open(page, '/', 'Good to see you, Ada');
  await input.click(link(region(page, 'Unpaid Past Lessons'), 'Send Reminder, Maya Hale - Maths'));
  await expect(pageHeading(page, 'Record payment')).toBeVisible();
  const form = region(page, 'Send reminder');
  await expect(form).toContainText(`To Ruth Hale, ${ruth}`);
  const message = await textField(form, 'Message').inputValue();
  await input.fill(textField(form, 'Message'), message.replace('Hi Ruth,', 'Dear Ruth,'));
  await input.click(button(form, 'Send Reminder'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  const payUrl = await mail.waitForLink(ruth, /^Payment reminder: £35.00/);
  expect((await mail.waitFor(ruth, /^Payment reminder/)).text).toMatch(/^Dear Ruth,/);
  const publicPage = await browser.newPage();
  await open(publicPage, payUrl, 'Payment to Ada Fenwick');
  await expect(publicPage.getByText('£35.00').first()).toBeVisible();
  await publicPage.close();

  // A WhatsApp message that is opened but not yet sent waits in the outbox.
  await input.check(radio(form, 'WhatsApp'));
  const { click } = input;
  const first = await openWhatsApp(page, click, button(form, 'Send Reminder'));
  expect(first.number).toBe('447700900123');
  expect(first.text).toContain(payUrl);
  await expect(form.getByRole('group', { name: 'Sent to Ruth Hale?' })).toBeVisible();
  await input.click(button(form, 'Later'));
  await open(page, '/messages', 'Messages');
  await expect(sectionHeading(page, '1 to send')).toBeVisible();
  await input.click(button(page, 'Not yet'));
  const reopened = await openWhatsApp(page, click, link(page, 'Open WhatsApp, Ruth Hale'));
  expect(reopened).toEqual(first);
  await input.click(button(page, 'Yes'));
  await expect(page.getByText('Nothing to send.', { exact: false })).toBeVisible();
  await input.check(radio(page, 'Sent'));
  await expect(row(page, 'WhatsApp, payment reminder')).toContainText('Sent');
  await expect(row(page, 'E-mail, payment reminder')).toContainText('Sent');

  // An address that rejects mail
  await open(page, `/families/${(await api.findAccount('Sami Aziz')).id}`, 'Sami Aziz');
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0);
  await input.click(button(page, 'Remind'));
  await input.click(button(dialog(page, 'Send reminder'), 'Send Reminder'));
  await input.click(link(page, 'Notifications 1 unread'));
  await expect(pageHeading(page, 'Notifications')).toBeVisible();
  const notification =
    "A message to Sami Aziz could not be sent. Emails to this address can't be delivered.";
  await input.click(
    region(page, 'Needs you').getByRole('link', { name: new RegExp(notification) }),
  );
  await expectPath(page, '/messages?show=sent');
  await expect(row(page, 'Sami Aziz')).toContainText('Not sent');
  await expect(button(page, 'Try again, Sami Aziz')).toBeVisible();
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0);
}

const sectionHeading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });

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
