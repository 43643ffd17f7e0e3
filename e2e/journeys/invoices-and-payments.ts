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
  row,
  textField,
} from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
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
  await input.click(link(page, '3 to tick off'));
  await input.click(button(page, 'Complete 3, £105'));
  await expect(toastWithText(page, '3 sessions completed')).toBeVisible();
  await input.click(page.getByRole('main').getByRole('link', { name: 'Back to home' }).last());
  const unpaid = region(page, 'Unpaid Past Lessons');
  await expect(unpaid.getByRole('listitem')).toHaveText([/£105 for 3 lessons/]);

  // Issue the invoice
  await input.click(unpaid.getByRole('link', { name: /account of Ruth Hale$/ }));
  await expect(pageHeading(page, 'Ruth Hale')).toBeVisible();
  await expect(page.getByText('Owes £105', { exact: true })).toBeVisible();
  await input.click(link(page, 'Invoice'));
  await expect(pageHeading(page, 'Invoices')).toBeVisible();
  await input.click(button(page, 'New invoice'));
  const newInvoiceDialog = dialog(page, 'New invoice');
  await input.check(radio(newInvoiceDialog, 'This month'));
  await input.click(button(newInvoiceDialog, 'Draft invoice'));
  await expect(pageHeading(page, 'Draft invoice')).toBeVisible();
  await expect(newInvoiceDialog).toBeHidden();
  await expect(region(page, 'Lines').getByRole('listitem')).toHaveCount(3);
  await input.click(button(page, 'Issue'));
  await input.click(button(dialog(page, 'Issue this invoice?'), 'Issue without sending'));
  await expect(pageHeading(page, 'Invoice 0001')).toBeVisible();
  await expect(detail(page, 'State')).toHaveText('Issued');

  // Pay all but £5
  await input.click(link(page.getByRole('main'), 'Ruth Hale'));
  await expect(pageHeading(page, 'Ruth Hale')).toBeVisible();
  await input.click(button(page, 'Record payment'));
  const paymentDialog = dialog(page, 'Record payment');
  await input.fill(textField(paymentDialog, 'Amount'), '100');
  await expect(paymentDialog).toContainText('Covers 3 lessons');
  await expect(paymentDialog).toContainText(/Ivy, Tue 12 Mar\s*£30 of £35/);
  await expect(radio(paymentDialog, 'Bank transfer')).toBeChecked();
  await input.click(button(paymentDialog, 'Record payment'));
  await expect(toastWithText(page, 'Payment recorded')).toBeVisible();
  await expect(paymentDialog).toBeHidden();
  await expect(page.getByText('Owes £5', { exact: true })).toBeVisible();
  expect(await api.invoices()).toMatchObject([{ number: '0001', state: 'part_paid', due: 500 }]);
  await input.click(button(page, 'Record payment'));
  await expect(textField(paymentDialog, 'Amount')).toHaveValue('5');
  await input.click(button(paymentDialog, 'Record payment'));
  await expect(paymentDialog).toBeHidden();
  await expect(page.getByText('Nothing owed', { exact: true }).first()).toBeVisible();
  expect(await api.invoices()).toMatchObject([{ number: '0001', state: 'paid', due: 0 }]);

  // Check the report
  await input.click(link(page, 'Reports'));
  await expect(pageHeading(page, 'Tutor Earnings Report')).toBeVisible();
  await input.selectNative(page.getByRole('combobox', { name: 'Period' }), 'This Month');
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
  expect(input.actionCount(), 'clicks and fields').toBeLessThanOrEqual(18);
}

/** Invoices all families at the end of the month. */
export async function walkThroughBulkInvoicing(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  for (const name of ['Maya Hale', 'Noah Berg', 'Theo Lind', 'Zoe Park']) {
    const student = await api.addStudent(name);
    await api.addCompletedLesson({
      student,
      subject: maths,
      date: '2030-02-05',
      start: '16:00',
      acceptOverlaps: true,
    });
    await api.addCompletedLesson({
      student,
      subject: maths,
      date: '2030-02-12',
      start: '16:00',
      acceptOverlaps: true,
    });
  }
  // Zoe has paid, so she gets no invoice.
  const zoe = await api.findAccount('Zoe Park');
  const cash = { currency: 'GBP', method: 'cash', date: '2030-02-14', chargeIds: [] } as const;
  await api.recordPayment({ ...cash, chargeIds: [], familyId: zoe.id, amount: 7000 });

  await open(page, '/invoices', 'Invoices');
  await input.click(link(page, 'Invoice everyone'));
  await expect(pageHeading(page, 'Invoice everyone')).toBeVisible();
  await input.click(button(page, 'Draft invoices'));
  const drafts = page.getByRole('main').getByRole('checkbox', { name: /^Issue to/ });
  await expect(drafts).toHaveCount(3);
  await expect(button(page, 'Issue 3, £210')).toBeEnabled();

  // Leave Noah's invoice as a draft and remove one of Theo's lessons.
  await input.check(page.getByRole('checkbox', { name: 'Issue to Noah Berg' }));
  await expect(button(page, 'Issue 2, £140')).toBeEnabled();
  await input.click(page.getByRole('button', { name: /^Theo Lind/, expanded: false }));
  await input.click(row(page, 'Theo Lind').getByRole('button', { name: /^Remove .*Tue 12 Feb$/ }));
  await input.click(button(page, 'Issue 2, £105'));
  await expect(toastWithText(page, '2 invoices issued')).toBeVisible();
  const result = region(page, '2 invoices issued, £105');
  await expect(result.getByRole('listitem')).toHaveText([
    /Maya Hale0001, £70/,
    /Theo Lind0002, £35/,
  ]);
  await expect(button(result, 'Copy link, invoice 0001')).toBeVisible();
  await expect(link(result, 'PDF, invoice 0002')).toHaveAttribute('href', /\.pdf$/);
  expect(input.actionCount(), 'clicks').toBeLessThanOrEqual(6);

  // The remaining draft is offered next time.
  await open(page, '/invoices/everyone', 'Invoice everyone');
  await input.click(button(page, 'Review 1 draft from before'));
  await expect(drafts).toHaveCount(1);
  await input.click(button(page, 'Issue 1, £70'));
  await expect(region(page, '1 invoice issued, £70')).toContainText('0003');
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

  await open(page, `/sessions/${sessionId}`, 'Session Details');
  await input.click(button(page, 'Mark as Completed'));
  await input.click(button(dialog(page, 'Mark as Completed'), 'Complete'));
  await expect(detail(page, 'Payment')).toHaveText('PaidFri 1 Mar, cash');
  await input.click(link(page, 'View account'));
  await expect(page.getByText('In credit £15', { exact: true })).toBeVisible();

  await input.click(region(page, 'Account').getByRole('link', { name: /^Maths lesson, Theo/ }));
  await input.click(button(page, 'Reopen'));
  const reopenDialog = dialog(page, 'Reopen');
  await expect(reopenDialog).toContainText('what was paid for it stays as credit.');
  await input.click(button(reopenDialog, 'Reopen'));
  await expect(toastWithText(page, 'Session reopened')).toBeVisible();
  await expect(detail(page, 'Status')).toHaveText('Scheduled');
  await expect(detail(page, 'Payment')).toHaveText('No charge');
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
  await expect(page.getByText('In credit £315', { exact: true })).toBeVisible();
  await input.click(region(page, 'Account').getByRole('link', { name: /^Payment, cash/ }));
  await input.click(button(dialog(page, 'Payment'), 'Take back'));
  const reverseDialog = dialog(page, 'Take back?');
  await expect(reverseDialog).toContainText('£350 is no longer received.');
  await expect(reverseDialog).toContainText('Theo Lind then owes £35.');
  await input.click(button(reverseDialog, 'Take back £350'));
  await expect(toastWithText(page, 'Taken back')).toBeVisible();
  await expect(reverseDialog).toBeHidden();
  await expect(page.getByText('Owes £35', { exact: true })).toBeVisible();

  await input.click(button(page, 'Record payment'));
  const paymentDialog = dialog(page, 'Record payment');
  await expect(textField(paymentDialog, 'Amount')).toHaveValue('35');
  await input.click(button(paymentDialog, 'Record payment'));
  await expect(paymentDialog).toBeHidden();
  await expect(page.getByText('Nothing owed', { exact: true }).first()).toBeVisible();

  await open(page, '/reports?period=this_month', 'Tutor Earnings Report');
  await expect(page.getByText('£35.00', { exact: true })).toBeVisible();
  await expect(region(page, 'Payments').getByRole('listitem')).toHaveCount(1);
}
