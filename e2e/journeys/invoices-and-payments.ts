import { expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
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
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { lessonStatus, openSessionPage } from '../page-objects/session-page.ts';
import type { InputDriver } from './input-driver.ts';

/** Completes and invoices lessons for three siblings, records payment in two parts and checks the report. */
export async function walkThroughFamilyPayments(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const ivy = await api.addStudent('Ivy Hale', { carerId: maya.carerId });
  await api.addLesson({ student: maya, subject: maths, date: TODAY, start: '15:00' });
  await api.addLesson({ student: leo, subject: maths, date: TODAY, start: '16:00' });
  await api.addLesson({ student: ivy, subject: maths, date: TODAY, start: '17:00' });

  // Complete the lessons
  await open(page, '/', 'Good to see you, Ada');
  await input.click(link(page, '3 to complete'));
  await input.click(button(page, 'Complete 3 lessons (£105)'));
  await expect(toastWithText(page, '3 lessons completed')).toBeVisible();
  await input.click(page.getByRole('main').getByRole('link', { name: 'Back to home' }).last());
  const unpaid = region(page, 'Unpaid Past Lessons');
  await expect(unpaid.getByRole('listitem')).toHaveText([/3 lessons£105/]);

  // Issue the invoice
  const countAtHome = input.actionCount();
  await input.click(link(unpaid, 'Ruth Hale'));
  await expect(pageHeading(page, 'Ruth Hale')).toBeVisible();
  await expect(page.getByText('£105 due', { exact: true }).first()).toBeVisible();
  await input.click(button(page, 'Invoice'));
  await expect(pageHeading(page, 'Draft invoice')).toBeVisible();
  await expect(region(page, 'Items').getByRole('listitem')).toHaveCount(3);
  await input.click(button(page, 'Issue'));
  await input.click(button(dialog(page, 'Issue this invoice?'), 'Issue without sending'));
  expect(input.actionCount() - countAtHome, 'taps from Home to an invoice').toBe(4);
  await expect(pageHeading(page, 'Invoice 0001')).toBeVisible();
  await expect(detail(page, 'Status')).toHaveText('Issued');

  // Pay all but £5
  await input.click(button(page, 'Record payment'));
  const paymentDialog = dialog(page, 'Record payment');
  await input.fill(textField(paymentDialog, 'Amount'), '100');
  await expect(paymentDialog).toContainText('Covers 3 lessons');
  await expect(paymentDialog).toContainText(/Ivy, Tue 12 Mar\s*£30 of £35/);
  await expect(radio(paymentDialog, 'Bank transfer')).toBeChecked();
  await input.click(button(paymentDialog, 'Record payment'));
  await expect(toastWithText(page, 'Payment recorded')).toBeVisible();
  await expect(paymentDialog).toBeHidden();
  await expect(detail(page, 'To pay').first()).toHaveText('£5.00');
  expect(await api.invoices()).toMatchObject([{ number: '0001', state: 'part_paid', due: 500 }]);
  await input.click(button(page, 'Record payment'));
  await expect(textField(paymentDialog, 'Amount')).toHaveValue('5');
  await input.click(button(paymentDialog, 'Record payment'));
  await expect(paymentDialog).toBeHidden();
  await expect(detail(page, 'Status')).toHaveText('Paid');
  expect(await api.invoices()).toMatchObject([{ number: '0001', state: 'paid', due: 0 }]);

  // Check the report
  await input.click(link(page, 'Reports'));
  await expect(pageHeading(page, 'Tutor Earnings Report')).toBeVisible();
  await input.selectNative(page.getByRole('combobox', { name: 'Period' }), 'This month');
  await expect(page.getByText('£105.00', { exact: true })).toBeVisible();
  await expect(region(page, 'Payments').getByRole('listitem')).toHaveText([
    /Ivy Hale.*Tue 12 Mar, Ruth Hale.*£5/,
    /Ivy Hale, Leo Hale and Maya Hale.*Tue 12 Mar, Ruth Hale.*£100/,
  ]);
  await expect(region(page, 'By student').getByRole('row')).toHaveText([
    /Ivy Hale.*£35/,
    /Leo Hale.*£35/,
    /Maya Hale.*£35/,
  ]);
  expect(input.actionCount(), 'clicks and fields').toBeLessThanOrEqual(14);
}

/** Reopens a wrongly completed session that was paid from credit. */
export async function walkThroughReopenedSession(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  const theo = await api.addStudent('Theo Lind');
  const { sessionId } = await api.addLesson({
    student: theo,
    subject: maths,
    date: TODAY,
    start: '17:00',
  });
  const { id } = await api.findAccount('Theo Lind');
  const prepayment = { familyId: id, amount: 5000, currency: 'GBP', method: 'cash' } as const;
  await api.recordPayment({ ...prepayment, date: '2030-03-01', chargeIds: [] });

  await openSessionPage(page, sessionId);
  await input.click(button(page, 'Complete'));
  await input.click(button(dialog(page, 'Complete lesson'), 'Complete lesson'));
  await expect(detail(page, 'Money')).toHaveText('£35.00 PaidFri 1 Mar, cash');
  await input.click(button(page, 'More actions'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'View account' }));
  await expect(region(page, 'Balance').getByText('£15 in credit', { exact: true })).toBeVisible();

  await input.click(tabPanel(page, 'Account').getByRole('link', { name: /Maths lesson, Theo/ }));
  await input.click(button(page, 'Reopen'));
  const reopenDialog = dialog(page, 'Reopen this lesson?');
  await expect(reopenDialog).toContainText('Anything already paid for it will become credit.');
  await input.click(button(reopenDialog, 'Reopen lesson'));
  await expect(toastWithText(page, 'Lesson reopened')).toBeVisible();
  await expect(lessonStatus(page)).toHaveText('Scheduled');
  await expect(detail(page, 'Money')).toHaveText('£35.00 Not due yet');
  expect((await api.findAccount('Theo Lind')).balances).toEqual([
    { currency: 'GBP', owed: 0, credit: 5000 },
  ]);
}

/** Reverses a payment that was recorded as ten times the correct amount. */
export async function walkThroughReversedPayment(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  const theo = await api.addStudent('Theo Lind');
  await api.addCompletedLesson({
    student: theo,
    subject: maths,
    date: '2030-03-05',
    start: '17:00',
  });
  const { id } = await api.findAccount('Theo Lind');
  await api.recordPayment({
    familyId: id,
    amount: 35_000,
    currency: 'GBP',
    method: 'cash',
    date: '2030-03-06',
    chargeIds: [],
  });

  await open(page, `/families/${id}`, 'Theo Lind');
  await expect(region(page, 'Balance').getByText('£315 in credit', { exact: true })).toBeVisible();
  await input.click(tabPanel(page, 'Account').getByRole('link', { name: /Payment, cash/ }));
  await input.click(button(dialog(page, 'Payment'), 'Reverse payment'));
  const reverseDialog = dialog(page, 'Reverse payment?');
  await expect(reverseDialog).toContainText('£350 will be removed from payments received.');
  await expect(reverseDialog).toContainText('Theo Lind will owe £35.');
  await input.click(button(reverseDialog, 'Reverse £350'));
  await expect(toastWithText(page, 'Payment reversed')).toBeVisible();
  await expect(reverseDialog).toBeHidden();
  await expect(page.getByText('£35 due', { exact: true }).first()).toBeVisible();

  await input.click(button(page, 'Record payment'));
  const paymentDialog = dialog(page, 'Record payment');
  await expect(textField(paymentDialog, 'Amount')).toHaveValue('35');
  await input.click(button(paymentDialog, 'Record payment'));
  await expect(paymentDialog).toBeHidden();
  await expect(page.getByText('Nothing due', { exact: true }).first()).toBeVisible();

  await open(page, '/reports?period=this_month', 'Tutor Earnings Report');
  await expect(page.getByText('£35.00', { exact: true })).toBeVisible();
  await expect(region(page, 'Payments').getByRole('listitem')).toHaveCount(1);
}

/**
 * Records the payment of what a family owes in three taps from Home, and reaches the form through Families in at most
 * three.
 */
export async function walkThroughPaymentFromHome(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: '2030-03-05',
    start: '17:00',
  });

  await open(page, '/', 'Good to see you, Ada');
  let countAtHome = input.actionCount();
  // Phones have the item under More.
  const more = button(page, 'More');
  if (await more.isVisible()) await input.click(more);
  await input.click(page.getByRole('link', { name: /^Families/ }).first());
  await input.click(button(page, 'Record payment').first());
  const form = dialog(page, 'Record payment');
  await expect(form.getByRole('combobox', { name: 'Family' })).toBeVisible();
  expect(input.actionCount() - countAtHome, 'taps to the form').toBeLessThanOrEqual(3);

  await open(page, '/', 'Good to see you, Ada');
  countAtHome = input.actionCount();
  await input.click(link(region(page, 'Unpaid Past Lessons'), 'Ruth Hale'));
  await input.click(button(page, 'Record payment'));
  await expect(textField(form, 'Amount')).toHaveValue('35');
  await input.click(button(form, 'Record payment'));
  expect(input.actionCount() - countAtHome, 'taps to a recorded payment').toBe(3);
  await expect(toastWithText(page, 'Payment recorded')).toBeVisible();
  await expect(page.getByText('Nothing due', { exact: true }).first()).toBeVisible();
}
