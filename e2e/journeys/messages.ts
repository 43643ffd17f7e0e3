import { plusDays } from '@lessonbook/contract/dates';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Book } from '../book.ts';
import { button, dialog, field, link, row, tick } from '../lesson-parts.ts';
import type { Mailroom } from '../mailroom.ts';
import { choice, sheet } from '../money-parts.ts';
import { expectPath, heading, open, toast } from '../page-parts.ts';
import type { Tutor } from '../tutor.ts';
import { openedWhatsApp, standInForWhatsApp } from '../whatsapp.ts';
import type { Hands } from './hands.ts';

export interface Desk {
  page: Page;
  browser: Browser;
  hands: Hands;
  book: Book;
  mail: Mailroom;
  tutor: Tutor;
  minutePasses: () => Promise<void>;
}

/** Nothing goes to a family before the tutor has seen it and wants it; then it does, and the family can stop it. */
export async function walkThroughReminders(desk: Desk): Promise<void> {
  const { page, browser, hands, book, mail, tutor, minutePasses } = desk;
  const ruth = addressOf(tutor, 'ruth');
  const maths = await book.addSubject('Maths', 35);
  const maya = await book.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: ruth });
  const { today } = await book.dashboard();
  // Less than a day away, whatever time it is now
  const tomorrow = { date: plusDays(today, 1), start: '00:00' };
  const { sessionId } = await book.addLesson({ student: maya, subject: maths, ...tomorrow });

  // Switched off in the settings, they may be started and still do not go.
  await open(page, '/settings', 'Settings');
  await tick(page.getByRole('switch', { name: 'Lesson Reminders' }), false);
  await startReminders(desk, 'Nothing would go out in the next days.');
  await expect(page.getByText(/^Lesson Reminders are switched off in/)).toBeVisible();
  await minutePasses();
  expect(await book.messages()).toEqual([]);
  await hands.press(button(page, 'Stop reminders'));
  await expect(toast(page, 'Reminders stopped')).toBeVisible();

  await open(page, '/settings', 'Settings');
  await tick(page.getByRole('switch', { name: 'Lesson Reminders' }));
  await startReminders(desk, 'Ruth Hale, Tomorrow: Maya 12:00 am');
  await minutePasses();
  const reminder = await mail.waitFor(ruth, /^Tomorrow: Maya 12:00 am$/);
  expect(reminder.replyTo).toEqual([tutor.email]);
  expect(reminder.text).toContain('Maya: Maths, 12:00 am to 1:00 am');
  expect(reminder.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  const [calendar] = reminder.attachments;
  expect(calendar?.contentType).toBe('text/calendar');
  const events = Buffer.from(String(calendar?.content), 'base64').toString();
  expect(events).toContain('SUMMARY:Maya: Maths');
  await open(page, '/messages?show=sent', 'Messages');
  await expect(row(page, 'Ruth Hale')).toContainText(/E-mail, lesson reminder.*Sent/);

  // The lesson cannot be: who was reminded of it hears so, by itself or by the tutor.
  await open(page, `/sessions/${sessionId}`, 'Session Details');
  await hands.press(button(page, 'Cancel Session'));
  const cancel = dialog(page, 'Cancel Session');
  await hands.tick(choice(cancel, 'Me'));
  await hands.press(button(cancel, 'Cancel session'));
  const tell = dialog(page, 'Tell the family?');
  await expect(field(tell, 'Subject')).toHaveValue(/^Cancelled: Maya/);
  await hands.press(button(tell, 'Not now'));
  await minutePasses();
  await mail.waitFor(ruth, /^Cancelled: Maya/);

  // The family has had enough: no cookie, no login, one press.
  const [wayOut = ''] = /http\S+\/unsubscribe\/\S+/.exec(reminder.text) ?? [];
  const stranger = await browser.newPage();
  await open(stranger, wayOut, 'Stop reminders?');
  await button(stranger, 'Stop reminders').click();
  await expect(heading(stranger, 'Reminders stopped')).toBeVisible();
  await expect(stranger.getByText('Invoices still come.')).toBeVisible();
  await stranger.close();
}

async function startReminders({ page, hands }: Desk, firstBatch: string): Promise<void> {
  await open(page, '/settings/reminders', 'Reminders');
  await hands.press(button(page, 'Start reminders'));
  const batch = dialog(page, 'Start reminders');
  await expect(batch).toContainText(firstBatch);
  await hands.press(button(batch, 'Start reminders'));
  await expect(page.getByText(/^On since /)).toBeVisible();
}

/** Money that is late is asked for by mail and by WhatsApp; a mail that comes back is news. */
export async function walkThroughAsking(desk: Desk): Promise<void> {
  const { page, browser, hands, book, mail, tutor } = desk;
  const ruth = addressOf(tutor, 'ruth');
  await fillWithDebts(book, ruth);
  await standInForWhatsApp(page);

  await open(page, '/', 'Good to see you, Ada');
  await hands.press(link(sheet(page, 'Unpaid Past Lessons'), 'Send Reminder, Maya Hale - Maths'));
  await expect(heading(page, 'Record payment')).toBeVisible();
  const form = sheet(page, 'Send reminder');
  await expect(form).toContainText(`To Ruth Hale, ${ruth}`);
  const words = await field(form, 'Message').inputValue();
  await hands.write(field(form, 'Message'), words.replace('Hello Ruth,', 'Dear Ruth,'));
  await hands.press(button(form, 'Send Reminder'));
  await expect(toast(page, 'E-mail on its way')).toBeVisible();
  const bill = await mail.waitForLink(ruth, /^Lessons to pay: £35.00$/);
  expect((await mail.waitFor(ruth, /^Lessons to pay/)).text).toMatch(/^Dear Ruth,/);
  const stranger = await browser.newPage();
  await open(stranger, bill, 'Payment to Ada Fenwick');
  await expect(stranger.getByText('£35.00').first()).toBeVisible();
  await stranger.close();

  // By WhatsApp: opened at once, but not sent yet, so it waits in the tray.
  await hands.tick(choice(form, 'WhatsApp'));
  const press = hands.press;
  const first = await openedWhatsApp(page, press, button(form, 'Send Reminder'));
  expect(first.number).toBe('447700900123');
  expect(first.words).toContain(bill);
  await expect(form.getByRole('group', { name: 'Sent to Ruth Hale?' })).toBeVisible();
  await hands.press(button(form, 'Later'));
  await open(page, '/messages', 'Messages');
  await expect(heading2(page, '1 to send')).toBeVisible();
  await hands.press(button(page, 'Not yet'));
  const again = await openedWhatsApp(page, press, link(page, 'Open WhatsApp, Ruth Hale'));
  expect(again).toEqual(first);
  await hands.press(button(page, 'Yes'));
  await expect(page.getByText('Nothing to send.', { exact: false })).toBeVisible();
  await hands.tick(choice(page, 'Sent'));
  await expect(row(page, 'WhatsApp, payment reminder')).toContainText('Sent');
  await expect(row(page, 'E-mail, payment reminder')).toContainText('Sent');

  // An address that takes no mail
  await open(page, `/families/${(await book.account('Sami Aziz')).id}`, 'Sami Aziz');
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0);
  await hands.press(button(page, 'Remind'));
  await hands.press(button(dialog(page, 'Send reminder'), 'Send Reminder'));
  await hands.press(link(page, 'Notifications 1 unread'));
  await expect(heading(page, 'Notifications')).toBeVisible();
  const words2 = 'A message to Sami Aziz could not be sent. The address does not take mail.';
  await hands.press(sheet(page, 'Needs you').getByRole('link', { name: new RegExp(words2) }));
  await expectPath(page, '/messages?show=sent');
  await expect(row(page, 'Sami Aziz')).toContainText('Not sent');
  await expect(button(page, 'Try again, Sami Aziz')).toBeVisible();
  await expect(page.getByRole('link', { name: /unread/ })).toHaveCount(0);
}

const heading2 = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });

/** Of this test alone: the mailbox is shared. */
const addressOf = ({ username }: Tutor, name: string): string =>
  `${name}.${username}@families.example`;

async function fillWithDebts(book: Book, ruth: string): Promise<void> {
  const maths = await book.addSubject('Maths', 35);
  const { today } = await book.dashboard();
  const carer = { carerName: 'Ruth Hale', carerEmail: ruth, carerPhone: '+44 7700 900123' };
  const maya = await book.addStudent('Maya Hale', carer);
  // No mail server takes a name that ends in a hyphen.
  const omar = await book.addStudent('Omar Aziz', {
    carerName: 'Sami Aziz',
    carerEmail: 'sami@gone-.example',
  });
  const lesson = { subject: maths, start: '16:00' };
  await book.teach({ ...lesson, student: maya, date: plusDays(today, -9) });
  await book.teach({ ...lesson, student: omar, date: plusDays(today, -8) });
}
