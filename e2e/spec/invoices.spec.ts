import type { Locator, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { expect, test } from '../fixtures.ts';
import {
  button,
  copyAndReadClipboard,
  detail,
  dialog,
  download,
  link,
  radio,
  readPdfText,
  region,
  row,
  select,
  textField,
} from '../page-objects/controls.ts';
import {
  expectPath,
  open,
  pageHeading,
  pathOf,
  toastWithText,
} from '../page-objects/navigation.ts';
import { openWhatsApp, stubWhatsApp } from '../page-objects/open-whatsapp-link.ts';
import { openSessionPage } from '../page-objects/session-page.ts';

test.use({ fixedClock: true });

const BUSINESS = {
  tradingName: 'Hill Tuition',
  accountName: 'A Fenwick',
  sortCode: '01-02-03',
  accountNumber: '12345678',
};

test('invoices: business details come from the settings', async ({ page, api }) => {
  await seedLessons(api);
  await open(page, '/settings', 'Settings');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Business/ })
    .click();
  await expectPath(page, '/settings/business');
  await expect(textField(page, 'Days until due')).toHaveValue('7');
  await expect(textField(page, 'Next number')).toHaveValue('1');
  await textField(page, 'Trading name').fill('Hill Tuition');
  await textField(page, 'Sort code').fill('01-02-03');
  await textField(page, 'Prefix').fill('HT*');
  await textField(page, 'Next number').fill('0');
  await button(page, 'Save Changes').click();
  await expect(page.getByText('Letters, digits and / . _ - only')).toBeVisible();
  await expect(page.getByText('Please enter 1 or more')).toBeVisible();
  await textField(page, 'Prefix').fill('HT-');
  await textField(page, 'Next number').fill('42');
  await textField(page, 'Days until due').fill('14');
  await button(page, 'Save Changes').click();
  await expect(toastWithText(page, 'Business details saved')).toBeVisible();
  await page.reload();
  await expect(textField(page, 'Trading name')).toHaveValue('Hill Tuition');

  const [draft] = await api.draftBulkInvoices('2030-02-01', '2030-02-28');
  const [issued] = await api.issueInvoices([draft?.id ?? 0]);
  expect(issued).toMatchObject({ number: 'HT-0042', dueOn: '2030-03-26' });
});

test('invoices: drafts, issues, credits and voids an invoice', async ({ page, api }) => {
  const { februaryLesson } = await seedLessons(api);
  await api.saveBusinessSettings(BUSINESS);
  await open(page, '/invoices', 'Invoices');
  await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible();
  await button(page, 'New invoice').click();
  const newInvoiceDialog = dialog(page, 'New invoice');
  await expect(radio(newInvoiceDialog, 'All')).toBeChecked();
  await expect(newInvoiceDialog).toContainText('Unpaid charges not yet invoiced, up to Sun 31 Mar');
  await radio(newInvoiceDialog, 'Last month').check();
  await expect(newInvoiceDialog).toContainText('Fri 1 Feb to Thu 28 Feb');
  await button(newInvoiceDialog, 'Draft invoice').click();
  await expect(newInvoiceDialog.getByText('Please choose who to invoice')).toBeVisible();
  await select(newInvoiceDialog, 'Payer').fill('Ruth');
  await page.getByRole('option', { name: /^Ruth Hale/ }).click();
  await button(newInvoiceDialog, 'Draft invoice').click();
  await expect(pageHeading(page, 'Draft invoice')).toBeVisible();
  await expect(newInvoiceDialog).toBeHidden();
  const draftPath = pathOf(page);
  const lines = region(page, 'Items').getByRole('listitem');
  const footer = page.locator('[data-sticky-footer]');

  await test.step('the draft can be edited and previewed', async () => {
    await expect(lines).toHaveText([/Tue 12 Feb.*£28/s, /Tue 5 Feb.*£28/s]);
    await expect(footer).toContainText('£56');
    await button(page, 'Add item').click();
    const item = dialog(page, 'Add item');
    await textField(item, 'Description').fill('Exam paper');
    await textField(item, 'Amount').fill('7.50');
    await button(item, 'Add item').click();
    await expect(item).toBeHidden();
    await expect(footer).toContainText('£63.50');
    await button(page, 'Remove Exam paper, Tue 12 Mar').click();
    await expect(footer).toContainText('£56');
    await textField(page, 'Note').fill('Thank you for a good month.');
    await textField(page, 'Note').blur();
    const preview = page.getByRole('article', { name: 'Invoice preview' });
    await expect(preview).toContainText('Thank you for a good month.');
    await expect(preview).toContainText('Hill Tuition');
    await expect(preview).toContainText('12345678');
    // Only first names are shown.
    await expect(preview).not.toContainText('Maya Hale');
  });

  await test.step('issuing assigns the number and creates the PDF', async () => {
    await button(page, 'Issue').click();
    const confirmDialog = dialog(page, 'Issue this invoice?');
    await expect(confirmDialog).toContainText('This invoice for £56 will be numbered now');
    await button(confirmDialog, 'Issue without sending').click();
    await expect(toastWithText(page, 'Invoice issued')).toBeVisible();
    await expect(pageHeading(page, 'Invoice 0001')).toBeVisible();
    await expectPath(page, draftPath);
    await expect(detail(page, 'Status')).toHaveText('Issued');
    await expect(detail(page, 'Due').first()).toHaveText('Tue 19 Mar');
    const { name, data } = await download(page, link(page, 'Download PDF'));
    expect(name).toMatch(/0001\.pdf$/);
    const text = await readPdfText(data);
    for (const expected of ['0001', 'Hill Tuition', 'Ruth Hale', '£56.00', '12345678']) {
      expect(text).toContain(expected);
    }
  });

  await test.step('an invoiced session cannot be reopened', async () => {
    await openSessionPage(page, februaryLesson.sessionId);
    await expect(link(page, '0001')).toBeVisible();
    await button(page, 'Reopen').click();
    const reopenDialog = dialog(page, "This lesson can't be reopened");
    await expect(reopenDialog).toContainText("It's on invoice 0001, which has been issued.");
    await link(reopenDialog, 'Go to invoice 0001').click();
    await expectPath(page, draftPath);
  });

  await test.step('a credit note reduces the amount', async () => {
    await button(page, 'Credit note').click();
    const form = dialog(page, 'Credit note');
    await form.getByRole('checkbox').first().check();
    await form.getByRole('textbox', { name: /^Amount to credit/ }).fill('29');
    await expect(form.getByText('You can credit up to 28')).toBeVisible();
    await form.getByRole('textbox', { name: /^Amount to credit/ }).fill('8');
    await textField(form, 'Reason').fill('Ended early');
    await expect(form).toContainText('Ruth Hale will owe £8 less.');
    await button(form, 'Credit £8').click();
    await expect(pageHeading(page, 'Credit note CN-0001')).toBeVisible();
    await link(page, '0001').click();
    await expect(pageHeading(page, 'Invoice 0001')).toBeVisible();
    await expect(detail(page, 'To pay').first()).toHaveText('£48.00');
    await expect(detail(page, 'Credit notes')).toHaveText('CN-0001, £8.00');
    await expect(button(page, 'Void')).toHaveCount(0);
    expect((await api.findAccount('Ruth Hale')).balances).toMatchObject([{ owed: 4800 + 2800 }]);
  });

  await test.step('the lesson of a voided invoice can be invoiced again', async () => {
    const [second] = await api.draftBulkInvoices('2030-03-01', '2030-03-31');
    await api.issueInvoices([second?.id ?? 0]);
    await open(page, `/invoices/${second?.id}`, 'Invoice 0002');
    await button(page, 'Void').click();
    const confirmDialog = dialog(page, 'Void this invoice?');
    await textField(confirmDialog, 'Reason').fill('Wrong month');
    await button(confirmDialog, 'Void 0002').click();
    await expect(toastWithText(page, 'Invoice voided')).toBeVisible();
    await expect(detail(page, 'Status')).toHaveText('Void');
    await expect(detail(page, 'Voided')).toHaveText('Tue 12 Mar, Wrong month');
    await expect(page.getByRole('article')).toContainText('Void: nothing is due.');
    expect(await api.draftBulkInvoices('2030-03-01', '2030-03-31')).toHaveLength(1);
  });

  await test.step('the list shows all invoices', async () => {
    await open(page, '/invoices', 'Invoices');
    const all = invoiceRows(page);
    await expect(all).toHaveText([
      /Ruth Hale.*Draft.*£28/s,
      /0002.*Void.*£28/s,
      /CN-0001.*Credit note.*£8/s,
      /0001.*Issued.*£56/s,
    ]);
    await button(page, 'Drafts 1').click();
    await expectPath(page, '/invoices?state=draft');
    await expect(all).toHaveCount(1);
    await all.getByRole('link').first().click();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Delete draft' }).click();
    await button(dialog(page, 'Delete this draft?'), 'Delete draft').click();
    await expect(toastWithText(page, 'Draft deleted')).toBeVisible();
    // The filter is still set.
    await expectPath(page, '/invoices?state=draft');
    await button(page, 'Clear filters').click();
    await page.getByRole('searchbox', { name: 'Search invoices' }).fill('0002');
    await expect(all).toHaveText([/0002.*Void/s]);
  });
});

test('invoices: issues and sends by WhatsApp with an edited message [PROD-10]', async ({
  page,
  api,
}) => {
  await seedLessons(api);
  await api.saveBusinessSettings(BUSINESS);
  await stubWhatsApp(page);
  const [draft] = await api.draftBulkInvoices('2030-02-01', '2030-02-28');
  await open(page, `/invoices/${draft?.id}`, 'Draft invoice');
  await button(page, 'Issue').click();
  await button(dialog(page, 'Issue this invoice?'), 'Issue and send (£56)').click();
  const form = dialog(page, 'Send invoice');
  await radio(form, 'WhatsApp').check();
  await expect(form).toContainText('To Ruth Hale, +447700900123');
  const message = await textField(form, 'Message').inputValue();
  await textField(form, 'Message').fill(`${message}\n\nHappy spring!`);
  const click = (target: Locator) => target.click();
  const opened = await openWhatsApp(page, click, button(form, 'Send invoice'));
  expect(opened.number).toBe('447700900123');
  expect(opened.text).toMatch(/invoice 0001 for £56\.00.*\/pay\/i_.*Happy spring!$/s);
  await button(form, 'Mark as sent').click();
  await button(form, 'Done').click();
  await expect(button(page, 'Send again')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/Marked as sent.*WhatsApp to Ruth Hale/);
});

test('invoices: the family sees the payment details and claims a transfer; the tutor records it', async ({
  page,
  api,
  browser,
  origin,
}) => {
  await seedLessons(api);
  await api.saveBusinessSettings(BUSINESS);
  const [draft] = await api.draftBulkInvoices('2030-02-01', '2030-02-28');
  const [issued] = await api.issueInvoices([draft?.id ?? 0]);
  const { payToken } = await api.findAccount('Ruth Hale');
  const familyContext = await browser.newContext({
    baseURL: origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const familyPage = await familyContext.newPage();

  await test.step('the public page needs no login and shows only first names', async () => {
    await open(familyPage, `/invoices/${issued?.token}`, 'Payment to Hill Tuition');
    const main = familyPage.getByRole('main');
    await expect(main).toContainText('£56.00');
    await expect(main).toContainText('Invoice 0001, due 19 Mar 2030');
    await expect(
      familyPage.getByRole('heading', { level: 2, name: 'Maya', exact: true }),
    ).toBeVisible();
    await expect(main).not.toContainText('Hale');
    expect(await copyAndReadClipboard(familyPage, 'Copy, Account number')).toBe('12345678');
    const { data } = await download(familyPage, link(familyPage, 'Download PDF'));
    expect(await readPdfText(data)).toContain('0001');
  });

  await test.step('claiming a transfer records no payment', async () => {
    await open(familyPage, `/pay/${payToken}`, 'Payment to Hill Tuition');
    await expect(familyPage.getByRole('main')).toContainText('£84.00');
    await expect(detail(familyPage, 'Reference')).toContainText(/\w/);
    expect(await copyAndReadClipboard(familyPage, 'Copy, Amount')).toBe('84.00');
    await button(familyPage, "I've paid by bank transfer").click();
    await button(familyPage, "I've sent it").click();
    await expect(familyPage.getByText(/on its way \(12 Mar 2030\)/)).toBeVisible();
    await familyPage.reload();
    await expect(familyPage.getByText(/on its way \(12 Mar 2030\)/)).toBeVisible();
    expect((await api.findAccount('Ruth Hale')).balances).toMatchObject([{ owed: 8400 }]);
  });

  await test.step('the tutor records it with one click', async () => {
    await open(page, '/', 'Good to see you, Ada');
    const transfers = region(page, 'Reported transfers');
    await expect(row(transfers, 'Ruth Hale')).toContainText("says they've transferred £84");
    await button(transfers, 'Record £84, Ruth Hale').click();
    const form = dialog(page, 'Record payment');
    await expect(textField(form, 'Amount')).toHaveValue('84');
    await expect(radio(form, 'Bank transfer')).toBeChecked();
    await button(form, 'Record payment').click();
    await expect(toastWithText(page, 'Payment recorded')).toBeVisible();
    await expect(transfers).toHaveCount(0);
    await openInvoice(page, 'Paid');
    await familyPage.reload();
    await expect(familyPage.getByText('Nothing to pay. Thank you.')).toBeVisible();
  });

  await familyContext.close();
});

test('F82 the title, preview and first view of public pages come from the server, without amounts or the names of family members', async ({
  page,
  api,
}) => {
  await seedLessons(api);
  await api.saveBusinessSettings(BUSINESS);
  const [draft] = await api.draftBulkInvoices('2030-02-01', '2030-02-28');
  const [issued] = await api.issueInvoices([draft?.id ?? 0]);
  const { payToken } = await api.findAccount('Ruth Hale');
  const pages = {
    [`/pay/${payToken}`]: 'Payment to Hill Tuition',
    [`/invoices/${issued?.token}`]: 'Invoice from Hill Tuition',
    '/unsubscribe/u_unknown': 'Email reminders',
    '/pay': 'Payment',
  };
  for (const [path, title] of Object.entries(pages)) {
    const html = await (await page.request.get(path)).text();
    const view = await page.evaluate(parseFirstView, html);
    expect(view).toEqual({
      title: `${title} | Lessonbook`,
      ogTitle: title,
      heading: title,
      descriptions: 1,
      robots: 'noindex',
      text: expect.not.stringMatching(/Maya|Leo|Hale|£|\d\.\d\d|free trial/),
    });
  }
});

/** Runs in the browser, which parses the page without running its scripts. */
function parseFirstView(html: string) {
  const document = new DOMParser().parseFromString(html, 'text/html');
  const meta = (selector: string) => document.querySelector(selector)?.getAttribute('content');
  return {
    title: document.title,
    ogTitle: meta('meta[property="og:title"]'),
    heading: document.querySelector('#root h1')?.textContent,
    descriptions: document.querySelectorAll('meta[name="description"]').length,
    robots: meta('meta[name="robots"]'),
    text: [
      document.body.textContent,
      meta('meta[name="description"]'),
      meta('meta[property="og:description"]'),
    ].join(' '),
  };
}

/** The rows of the table, or of the list on a phone. */
const invoiceRows = (page: Page): Locator => page.getByRole('main').locator('tbody tr, li');

async function openInvoice(page: Page, state: string): Promise<void> {
  await open(page, '/invoices', 'Invoices');
  await invoiceRows(page).filter({ hasText: '0001' }).getByRole('link').first().click();
  await expect(pageHeading(page, 'Invoice 0001')).toBeVisible();
  await expect(detail(page, 'Status')).toHaveText(state);
}

/** Ruth pays for two students, who each have a lesson in February; one also has a lesson in March. */
async function seedLessons(api: ApiClient) {
  const maths = await api.addSubject('Maths', 28);
  const maya = await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerPhone: '+44 7700 900123',
  });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const februaryLesson = await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: '2030-02-05',
    start: '16:00',
  });
  await api.addCompletedLesson({
    student: leo,
    subject: maths,
    date: '2030-02-12',
    start: '16:00',
  });
  await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: '2030-03-05',
    start: '16:00',
  });
  return { februaryLesson };
}
