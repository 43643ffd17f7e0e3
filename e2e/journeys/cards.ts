import { addDaysToDate } from '@lessonbook/contract/dates';
import { type Browser, expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import type { MailClient } from '../mail-client.ts';
import {
  button,
  detail,
  dialog,
  link,
  radio,
  region,
  tabPanel,
  textField,
} from '../page-objects/controls.ts';
import { expectPath, open, toastWithText } from '../page-objects/navigation.ts';
import { onboardingPage, payWithCard } from '../page-objects/stripe.ts';
import type { Tutor } from '../sign-up-tutor.ts';
import type { InputDriver } from './input-driver.ts';

interface JourneyContext {
  page: Page;
  browser: Browser;
  input: InputDriver;
  api: ApiClient;
  mail: MailClient;
  tutor: Tutor;
}

/** Connects Stripe, pays for a lesson by card and refunds part of it. */
export async function walkThroughCards(context: JourneyContext): Promise<void> {
  await connect(context);
  const payUrl = await completeAndRequestPayment(context);
  await payAsCarer(context, payUrl);
  await refund(context);
}

async function connect({ page, input }: JourneyContext): Promise<void> {
  await open(page, '/settings', 'Settings');
  await input.click(page.getByRole('main').getByRole('link', { name: 'Payment Methods' }));
  await input.check(radio(page, 'Stripe Payments'));
  await input.click(button(page, 'Connect with Stripe'));
  await expect(onboardingPage(page)).toBeVisible();
  // When the onboarding link expires, the page creates a new one automatically.
  await input.click(button(page, 'Let the link expire'));
  await expect(toastWithText(page, 'Action Required')).toBeVisible();
  await expectPath(page, '/payment-methods');
  await expect(onboardingPage(page)).toBeVisible();
  await input.click(button(page, 'Complete onboarding'));
  await expect(region(page, 'Stripe account')).toContainText('Onboarding complete');
  await input.click(button(page, 'Accept card payments'));
  await expect(toastWithText(page, 'connected successfully!')).toBeVisible();
}

/** Returns the payment URL from the email to the carer. */
async function completeAndRequestPayment({
  page,
  input,
  api,
  mail,
  tutor,
}: JourneyContext): Promise<string> {
  // Unique to this test, because all tests share the mailbox.
  const ruth = `ruth.${tutor.username}@families.example`;
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: ruth });
  const { today } = await api.dashboard();
  const yesterday = addDaysToDate(today, -1);
  await api.addLesson({ student: maya, subject: maths, date: yesterday, start: '16:00' });

  await open(page, '/', 'Good to see you, Ada');
  await input.click(link(page, '1 to complete'));
  await input.click(button(page, 'Complete 1 lesson (£35)'));
  await expect(toastWithText(page, '1 lesson completed')).toBeVisible();
  await open(page, `/families/${(await api.findAccount('Ruth Hale')).id}`, 'Ruth Hale');
  await expect(page.getByText('£35 due', { exact: true }).first()).toBeVisible();
  await input.click(button(page, 'Remind'));
  const form = dialog(page, 'Send reminder');
  await input.click(button(form, 'Send reminder'));
  await expect(form).toBeHidden();
  const { text } = await mail.waitFor(ruth, /^Payment reminder: £35\.00/);
  return text.match(/http\S+\/pay\/[\w-]+/)?.[0] ?? '';
}

/** Pays as the carer, without a login, in the same viewport. */
async function payAsCarer({ page, browser }: JourneyContext, payUrl: string): Promise<void> {
  const carerPage = await browser.newPage({ viewport: page.viewportSize() });
  await open(carerPage, payUrl, 'Payment to Ada Fenwick');
  await expect(carerPage.getByRole('heading', { name: 'Maya' })).toBeVisible();
  await button(carerPage, 'Pay £35.00 by card').click();
  await carerPage.getByRole('link', { name: 'Back' }).click();
  await expect(carerPage.getByText('Nothing was charged.')).toBeVisible();
  await button(carerPage, 'Pay £35.00 by card').click();
  await payWithCard(carerPage, 'declined', '£35.00');
  await expect(carerPage.getByRole('alert')).toContainText('declined');
  await payWithCard(carerPage, 'good', '£35.00');
  await expect(carerPage.getByText('Paid. Thank you!')).toBeVisible();
  await expect(carerPage.getByText(/^£35\.00 paid on .* by card$/)).toBeVisible();
  expect(carerPage.url()).toBe(payUrl);
  // When the link is opened again, the page shows that nothing is left to pay.
  await carerPage.reload();
  await expect(carerPage.getByText('Nothing to pay. Thank you.')).toBeVisible();
  await carerPage.close();
}

async function refund({ page, input }: JourneyContext): Promise<void> {
  // The open page updates without a reload.
  await expect(page.getByText('Nothing due', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: /unread/ })).toBeVisible();
  const lines = tabPanel(page, 'Account').getByRole('listitem');
  await input.click(lines.filter({ hasText: 'Payment, card' }).getByRole('link'));
  await expect(detail(page, 'Method')).toHaveText('Card');
  await expect(button(dialog(page, 'Payment'), 'Reverse payment')).toHaveCount(0);
  await input.click(button(dialog(page, 'Payment'), 'Refund'));
  const form = dialog(page, 'Refund');
  await expect(form).toContainText('Stripe will return the money to the card.');
  await input.fill(textField(form, 'Amount'), '20');
  await input.click(button(form, 'Refund £20'));
  await expect(toastWithText(page, 'Refund requested')).toBeVisible();
  // Updated by Stripe's webhook without a reload.
  await expect(detail(page, 'Returned')).toContainText('£20 refunded on');
  await page.keyboard.press('Escape');
  await expect(page.getByText('£20 due', { exact: true }).first()).toBeVisible();
}
