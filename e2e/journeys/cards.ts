import { plusDays } from '@lessonbook/contract/dates';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Book } from '../book.ts';
import { button, dialog, fact, field, link } from '../lesson-parts.ts';
import type { Mailroom } from '../mailroom.ts';
import { choice, sheet } from '../money-parts.ts';
import { expectPath, open, toast } from '../page-parts.ts';
import { onboarding, payWith } from '../stripe-parts.ts';
import type { Tutor } from '../tutor.ts';
import type { Hands } from './hands.ts';

interface Desk {
  page: Page;
  browser: Browser;
  hands: Hands;
  book: Book;
  mail: Mailroom;
  tutor: Tutor;
}

/** From no account at Stripe to a lesson that was paid by card, and given back in part. */
export async function walkThroughCards(desk: Desk): Promise<void> {
  await connect(desk);
  const bill = await teachAndAsk(desk);
  await payAsCarer(desk, bill);
  await refund(desk);
}

async function connect({ page, hands }: Desk): Promise<void> {
  await open(page, '/settings', 'Settings');
  await hands.press(page.getByRole('main').getByRole('link', { name: 'Payment Methods' }));
  await hands.tick(choice(page, 'Stripe Payments'));
  await hands.press(button(page, 'Connect with Stripe'));
  await expect(onboarding(page)).toBeVisible();
  // The kettle boiled over; the link has run out. It starts anew by itself.
  await hands.press(button(page, 'Let the link expire'));
  await expect(toast(page, 'Action Required')).toBeVisible();
  await expectPath(page, '/payment-methods');
  await expect(onboarding(page)).toBeVisible();
  await hands.press(button(page, 'Complete onboarding'));
  await expect(toast(page, 'connected successfully!')).toBeVisible();
  await expect(sheet(page, 'Stripe account')).toContainText('Onboarding complete');
  await hands.press(button(page, 'Save Changes'));
  await expect(toast(page, 'Payment Method Updated')).toBeVisible();
}

/** Gives the address in the mail that the carer gets. */
async function teachAndAsk({ page, hands, book, mail, tutor }: Desk): Promise<string> {
  // Of this test alone: the mailbox is shared.
  const ruth = `ruth.${tutor.username}@families.example`;
  const maths = await book.addSubject('Maths', 35);
  const maya = await book.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: ruth });
  const { today } = await book.dashboard();
  const yesterday = plusDays(today, -1);
  await book.addLesson({ student: maya, subject: maths, date: yesterday, start: '16:00' });

  await open(page, '/', 'Good to see you, Ada');
  await hands.press(link(page, '1 to tick off'));
  await hands.press(button(page, 'Complete 1, £35'));
  await expect(toast(page, '1 session completed')).toBeVisible();
  await open(page, `/families/${(await book.account('Ruth Hale')).id}`, 'Ruth Hale');
  await expect(page.getByText('Owes £35', { exact: true })).toBeVisible();
  await hands.press(button(page, 'Remind'));
  const form = dialog(page, 'Send reminder');
  await hands.press(button(form, 'Send Reminder'));
  await expect(form).toBeHidden();
  const { text } = await mail.waitFor(ruth, /^Lessons to pay: £35\.00$/);
  return text.match(/http\S+\/pay\/[\w-]+/)?.[0] ?? '';
}

/** Signed in nowhere, on a screen as large as the tutor's. */
async function payAsCarer({ page, browser }: Desk, bill: string): Promise<void> {
  const stranger = await browser.newPage({ viewport: page.viewportSize() });
  await open(stranger, bill, 'Payment to Ada Fenwick');
  await expect(stranger.getByRole('heading', { name: 'Maya' })).toBeVisible();
  await button(stranger, 'Pay £35.00 by card').click();
  await stranger.getByRole('link', { name: 'Back' }).click();
  await expect(stranger.getByText('Nothing was charged.')).toBeVisible();
  await button(stranger, 'Pay £35.00 by card').click();
  await payWith(stranger, 'declined', '£35.00');
  await expect(stranger.getByRole('alert')).toContainText('declined');
  await payWith(stranger, 'good', '£35.00');
  await expect(stranger.getByText('Paid. Thank you!')).toBeVisible();
  expect(stranger.url()).toBe(bill);
  // Nor is it asked for again by whoever opens the mail once more.
  await stranger.reload();
  await expect(stranger.getByText('Nothing to pay. Thank you.')).toBeVisible();
  await stranger.close();
}

async function refund({ page, hands }: Desk): Promise<void> {
  // The page has been open all the time: the news came by itself.
  await expect(page.getByText('Nothing owed', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /unread/ })).toBeVisible();
  const lines = sheet(page, 'Account').getByRole('listitem');
  await hands.press(lines.filter({ hasText: 'Payment, card' }).getByRole('link'));
  await expect(fact(page, 'Method')).toHaveText('Card');
  await expect(button(dialog(page, 'Payment'), 'Take back')).toHaveCount(0);
  await hands.press(button(dialog(page, 'Payment'), 'Refund'));
  const form = dialog(page, 'Refund');
  await expect(form).toContainText('The money goes back to the card.');
  await hands.write(field(form, 'Amount'), '20');
  await hands.press(button(form, 'Refund £20'));
  await expect(toast(page, 'Refund asked for')).toBeVisible();
  // Stripe has done it, and nobody has reloaded the page.
  await expect(fact(page, 'Refunded')).toContainText('£20 on');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Owes £20', { exact: true })).toBeVisible();
}
