import type { Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { expect, test } from '../fixtures.ts';
import {
  button,
  detail,
  dialog,
  link,
  radio,
  region,
  row,
  tabPanel,
  textField,
} from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { openSessionPage } from '../page-objects/session-page.ts';

test.use({ fixedClock: true });

test('payments: two payments settle an unpaid balance, from Send Reminder to Paid [DASH-03, DASH-08, DASH-09, SESS-15, SESS-16, PROD-07, PROD-08, ROUTE-28]', async ({
  page,
  api,
}) => {
  const { maya, maths, first } = await seedLessons(api);
  const upcomingLesson = await api.addLesson({
    student: maya,
    subject: maths,
    date: '2030-03-14',
    start: '16:00',
  });

  await open(page, '/', 'Good to see you, Ada');
  const unpaid = page.getByRole('region', { name: 'Unpaid Past Lessons', exact: true });
  await expect(unpaid.getByText('Awaiting Payment', { exact: true })).toBeVisible();
  await expect(row(unpaid, 'Ruth Hale')).toContainText('Maya, 2 lessons£56');
  await button(unpaid, 'Send Reminder, Ruth Hale').click();
  await button(dialog(page, 'Send reminder'), 'Close').click();
  await openSessionPage(page, first.sessionId);
  await link(page, 'Record payment').click();
  await expectPath(page, `/payments/create/${first.lessonId}?session=${first.sessionId}`);

  await test.step('a partial payment', async () => {
    await expect(pageHeading(page, 'Record payment')).toBeVisible();
    const main = page.getByRole('main');
    await expect(link(main, 'Ruth Hale')).toBeVisible();
    await expect(main).toContainText('Owes £56');
    await expect(row(main, 'Thu 7 Mar').first()).toContainText('£28');
    await expect(textField(page, 'Amount')).toHaveValue('28');
    await expect(radio(page, 'Bank transfer')).toBeChecked();
    await textField(page, 'Amount').fill('0');
    await button(page, 'Record payment').click();
    await expect(page.getByText('The amount must be greater than 0')).toBeVisible();
    await textField(page, 'Amount').fill('22');
    await expect(main).toContainText('Covers 1 lesson');
    await expect(main).toContainText(/Maya, Thu 7 Mar\s*£22 of £28/);
    await radio(page, 'Cash').check();
    await textField(page, 'Note').fill('In an envelope');
    await button(page, 'Record payment').click();
    await expect(toastWithText(page, 'Payment recorded')).toBeVisible();
    // Returns to the previous page
    await expectPath(page, `/sessions/${first.sessionId}`);
    await open(page, '/', 'Good to see you, Ada');
    await expect(row(unpaid, 'Ruth Hale')).toContainText('Maya, 2 lessons£34');
  });

  await test.step('the session shows the amount due', async () => {
    await openSessionPage(page, first.sessionId);
    await expect(detail(page, 'Money')).toHaveText('£28.00 Part paid, £6 left£22 of £28 paid');
    await link(page, 'Record payment').click();
    await expect(textField(page, 'Amount')).toHaveValue('6');
    // The most recently used payment method is preselected.
    await expect(radio(page, 'Cash')).toBeChecked();
    await expect(button(page, 'This lesson (£6)')).toHaveAttribute('aria-pressed', 'true');
    await button(page, 'Full balance (£34)').click();
    await expect(textField(page, 'Amount')).toHaveValue('34');
    await expect(page.getByRole('main')).toContainText('Covers 2 lessons');
    await radio(page, 'Bank transfer').check();
    await button(page, 'Record payment').click();
    await expectPath(page, `/sessions/${first.sessionId}`);
    await expect(detail(page, 'Money')).toHaveText('£28.00 PaidTue 12 Mar, bank transfer');
  });

  await test.step('nothing is owed', async () => {
    await detail(page, 'Money').getByRole('link').click();
    const payment = dialog(page, 'Payment');
    await expect(payment).toContainText('£34');
    await expect(detail(page, 'From')).toHaveText('Ruth Hale');
    await expect(detail(page, 'Covers').getByRole('listitem')).toHaveText([
      /Maya, Thu 7 Mar.*£6/,
      /Leo, Fri 8 Mar.*£28/,
    ]);
    await page.keyboard.press('Escape');
    await expect(payment).toBeHidden();
    await expect(page.getByRole('main')).toContainText('Nothing due');
    await openSessionPage(page, upcomingLesson.sessionId);
    await expect(detail(page, 'Money')).toHaveText('£28.00 Not due yet');
    await open(page, '/', 'Good to see you, Ada');
    await expect(unpaid).toContainText('No one owes you anything.');
  });
});

test('payments: the account shows corrected entries next to their corrections [PROD-07, PROD-08]', async ({
  page,
  api,
}) => {
  await seedLessons(api);
  await open(page, '/families', 'Families');
  const family = page.getByRole('table').getByRole('link', { name: /Ruth Hale/ });
  await expect(page.getByRole('main')).toContainText(/Leo, Maya.*£56.*5 days overdue/);
  await family.focus();
  await page.keyboard.press('Enter');
  await expect(pageHeading(page, 'Ruth Hale')).toBeVisible();
  const main = page.getByRole('main');
  const balance = (text: string) =>
    expect(region(page, 'Balance').getByText(text, { exact: true })).toBeVisible();
  const lines = tabPanel(page, 'Account').getByRole('listitem');
  await balance('£56 due');
  await expect(main).toContainText('Leo £28, Maya £28');
  await expect(lines).toHaveText([
    /8 Mar.*Maths lesson, Leo.*£28.*£56 due/,
    /7 Mar.*Maths lesson, Maya.*£28.*£28 due/,
  ]);

  await test.step('an overpayment becomes credit and can be undone', async () => {
    await recordCashPayment(page, '60');
    await balance('£4 in credit');
    await toastWithText(page, 'Payment recorded').getByRole('button', { name: 'Undo' }).click();
    await expect(toastWithText(page, 'Payment reversed')).toBeVisible();
    await balance('£56 due');
  });

  await test.step('a refund reopens the latest charges and can be undone', async () => {
    await recordCashPayment(page, '60');
    await balance('£4 in credit');
    await lines.filter({ hasText: 'Payment, cash' }).getByRole('link').click();
    await expect(detail(page, 'Credit')).toHaveText('£4 unused');
    await button(dialog(page, 'Payment'), 'Refund').click();
    const refund = dialog(page, 'Refund');
    await expect(textField(refund, 'Amount')).toHaveValue('60');
    await textField(refund, 'Amount').fill('10');
    await expect(refund).toContainText('Lessons worth £6 will become unpaid.');
    await expect(refund).toContainText('Ruth Hale will owe £6.');
    await button(refund, 'Refund £10').click();
    await expect(toastWithText(page, 'Refund recorded')).toBeVisible();
    await balance('£6 due');
    await toastWithText(page, 'Refund recorded').getByRole('button', { name: 'Undo' }).click();
    await balance('£4 in credit');
  });

  await test.step('a reversed payment and its reversal both stay in the account', async () => {
    await lines
      .filter({ hasText: 'Payment, cash' })
      .filter({ hasNotText: 'Reversed' })
      .getByRole('link')
      .first()
      .click();
    await button(dialog(page, 'Payment'), 'Reverse payment').click();
    const reverseDialog = dialog(page, 'Reverse payment?');
    for (const text of [
      '£60 will be removed from payments received.',
      '2 lessons will become unpaid.',
      'Ruth Hale will owe £56.',
    ]) {
      await expect(reverseDialog).toContainText(text);
    }
    await button(reverseDialog, 'Reverse £60').click();
    await expect(toastWithText(page, 'Payment reversed')).toBeVisible();
    await balance('£56 due');
    const collapsedEntry = tabPanel(page, 'Account')
      .getByRole('button', { expanded: false })
      .first();
    await expect(collapsedEntry).toContainText(/Payment, cash.*Reversed Tue 12 Mar.*£60/);
    await collapsedEntry.click();
    await expect(tabPanel(page, 'Account').getByRole('listitem').first()).toContainText('£56 due');
  });

  const ruth = await api.findAccount('Ruth Hale');
  expect(ruth.balances).toEqual([{ currency: 'GBP', owed: 5600, credit: 0 }]);
  expect(ruth.entries.map(({ kind }) => kind).toSorted()).toEqual([
    'lesson',
    'lesson',
    'payment',
    'payment',
    'refund',
    'reversal',
    'reversal',
    'reversal',
  ]);
});

test("payments: sets a family's opening balance, address and payment reference [PROD-08]", async ({
  page,
  api,
}) => {
  await seedLessons(api);
  const ruth = await api.findAccount('Ruth Hale');
  await open(page, `/families/${ruth.id}`, 'Ruth Hale');
  const lines = tabPanel(page, 'Account').getByRole('listitem');

  await openAccountDialog(page, 'Opening balance');
  const opening = dialog(page, 'Opening balance');
  await expect(radio(opening, 'They owe')).toBeChecked();
  await button(opening, 'Save').click();
  await expect(opening.getByText('Please enter an amount')).toBeVisible();
  await textField(opening, 'Amount').fill('40.50');
  await button(opening, 'Save').click();
  await expect(toastWithText(page, 'Opening balance saved')).toBeVisible();
  await expect(region(page, 'Balance').getByText('£96.50 due', { exact: true })).toBeVisible();
  // The opening balance counts towards the balance, but not in reports.
  await open(page, '/reports?period=all_time', 'Tutor Earnings Report');
  await expect(region(page, 'Payments')).toContainText('No payments found');

  await open(page, `/families/${ruth.id}`, 'Ruth Hale');
  await lines.filter({ hasText: 'Opening balance' }).getByRole('button').click();
  const reverseDialog = dialog(page, 'Reverse the opening balance?');
  await expect(reverseDialog).toContainText('£40.50 will no longer be owed.');
  await button(reverseDialog, 'Reverse').click();
  await expect(region(page, 'Balance').getByText('£56 due', { exact: true })).toBeVisible();

  await openAccountDialog(page, 'Opening balance');
  await radio(opening, 'In credit').check();
  await textField(opening, 'Amount').fill('60');
  await button(opening, 'Save').click();
  await expect(region(page, 'Balance').getByText('£4 in credit', { exact: true })).toBeVisible();

  await openAccountDialog(page, 'Address, reference and time zone');
  const form = dialog(page, 'Address, reference and time zone');
  await textField(form, 'Address').fill('4 Mill Lane\nBath');
  await textField(form, 'Payment reference').fill('HALE*1');
  await button(form, 'Save Changes').click();
  await expect(
    form.getByText('Letters, digits, spaces, full stops and hyphens only'),
  ).toBeVisible();
  await textField(form, 'Payment reference').fill('HALE-1');
  await button(form, 'Save Changes').click();
  await expect(toastWithText(page, 'Changes saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Ways to pay' }).click();
  await expect(detail(page, 'Reference')).toHaveText('HALE-1');
  await expect(detail(page, 'Payment link')).toContainText(`/pay/${ruth.payToken}`);
  await page.getByRole('tab', { name: 'People' }).click();
  await expect(detail(page, 'Address')).toHaveText('4 Mill Lane\nBath');
});

async function seedLessons(api: ApiClient) {
  const maths = await api.addSubject('Maths', 28);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const first = await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: '2030-03-07',
    start: '16:00',
  });
  await api.addCompletedLesson({
    student: leo,
    subject: maths,
    date: '2030-03-08',
    start: '16:00',
  });
  return { maya, maths, first };
}

/** Records a cash payment in the account dialog. */
async function recordCashPayment(page: Page, amount: string): Promise<void> {
  await button(page, 'Record payment').click();
  const form = dialog(page, 'Record payment');
  await expect(textField(form, 'Amount')).toHaveValue('56');
  await textField(form, 'Amount').fill(amount);
  await radio(form, 'Cash').check();
  await expect(form).toContainText('£4 becomes credit');
  await button(form, 'Record payment').click();
  await expect(toastWithText(page, 'Payment recorded')).toBeVisible();
  await expect(form).toBeHidden();
}

async function openAccountDialog(page: Page, item: string): Promise<void> {
  await button(page, 'More actions for this account').click();
  await page.getByRole('menuitem', { name: item }).click();
  await expect(dialog(page, item)).toBeVisible();
}
