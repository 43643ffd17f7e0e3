import { expect, type Page } from '@playwright/test';
import type { DemoData } from '../find-demo-account-data.ts';
import { button, dateField, dialog, textField } from '../page-objects/controls.ts';
import { open } from '../page-objects/navigation.ts';
import { type DialogScenario, openDialog } from './lessons.ts';

/* Dialogs on the money screens, each opened from its screen. Nothing is saved. */

export const moneyScenarios: Record<string, DialogScenario> = {
  async 'payment-record'(page, demo) {
    await openAccount(page, demo);
    const form = await openDialog(page, 'Record payment', 'Record payment');
    await textField(form, 'Amount').fill('1000');
    await expect(form).toContainText('becomes credit');
  },
  async 'payment-errors'(page, demo) {
    await openAccount(page, demo);
    const form = await openDialog(page, 'Record payment', 'Record payment');
    await textField(form, 'Amount').fill('');
    await button(form, 'Record payment').click();
    await expect(form.getByText('Please enter an amount')).toBeVisible();
  },
  'payment-details': openPayment,
  async 'payment-refund'(page, demo) {
    await openPayment(page, demo);
    await button(dialog(page, 'Payment'), 'Refund').click();
    await expect(dialog(page, 'Refund')).toContainText('will owe');
  },
  async 'payment-reverse'(page, demo) {
    await openPayment(page, demo);
    await button(dialog(page, 'Payment'), 'Reverse payment').click();
    await expect(dialog(page, 'Reverse payment?')).toContainText(
      'will be removed from payments received.',
    );
  },
  async 'account-opening'(page, demo) {
    await openAccount(page, demo);
    await button(page, 'More actions for this account').click();
    await page.getByRole('menuitem', { name: 'Opening balance' }).click();
    await expect(dialog(page, 'Opening balance')).toContainText('before you used Lessonbook');
  },
  async 'account-reference'(page, demo) {
    await openAccount(page, demo);
    await button(page, 'More actions for this account').click();
    await page.getByRole('menuitem', { name: 'Address, reference and time zone' }).click();
    await expect(
      textField(dialog(page, 'Address, reference and time zone'), 'Payment reference'),
    ).toBeVisible();
  },
  async 'invoice-new'(page) {
    await open(page, '/invoices', 'Invoices');
    const form = await openDialog(page, 'New invoice', 'New invoice');
    await form.getByRole('radio', { name: 'Custom' }).check();
    await expect(dateField(form, 'Last day')).toBeVisible();
    await button(form, 'Draft invoice').click();
    await expect(form.getByText('Please choose who to invoice')).toBeVisible();
  },
  async 'invoice-item'(page, demo) {
    await openDraftInvoice(page, demo);
    const modal = await openDialog(page, 'Add item', 'Add item');
    await button(modal, 'Add item').click();
    await expect(modal.getByText('Please enter a description')).toBeVisible();
  },
  async 'invoice-lessons'(page, demo) {
    await openDraftInvoice(page, demo);
    const modal = await openDialog(page, 'Add lesson', 'Add lesson');
    await modal.getByRole('checkbox').first().check();
    await expect(button(modal, 'Add')).toHaveCount(0);
  },
  async 'invoice-issue'(page, demo) {
    await openDraftInvoice(page, demo);
    await openDialog(page, 'Issue', 'Issue this invoice?');
  },
  async 'invoice-delete'(page, demo) {
    await openDraftInvoice(page, demo);
    await button(page.getByRole('main'), 'More').click();
    await page.getByRole('menuitem', { name: 'Delete draft' }).click();
    await expect(dialog(page, 'Delete this draft?')).toBeVisible();
  },
  async 'invoice-credit'(page, demo) {
    await open(page, `/invoices/${demo.issuedInvoice.id}`, `Invoice ${demo.issuedInvoice.number}`);
    const form = await openDialog(page, 'Credit note', 'Credit note');
    await form.getByRole('checkbox').first().check();
    await expect(form).toContainText('less. Anything already paid for it will become credit.');
  },
  async 'invoice-void'(page, demo) {
    await open(page, `/invoices/${demo.issuedInvoice.id}`, `Invoice ${demo.issuedInvoice.number}`);
    await openDialog(page, 'Void', 'Void this invoice?');
  },
  async 'methods-card'(page) {
    await open(page, '/payment-methods', 'Payment Methods');
    await page.getByRole('radio', { name: 'Stripe Payments' }).check();
    await expect(button(page, 'Connect with Stripe')).toBeVisible();
  },
  async 'pay-card'(page, demo) {
    await stubCardPayments(page);
    await open(page, `${demo.payPath}?card=cancelled`, 'Payment to Demo Tuition');
    await expect(page.getByRole('button', { name: /^Pay .* by card$/ }).first()).toBeVisible();
  },
  async 'pay-waiting'(page, demo) {
    await stubCardPayments(page);
    await open(page, `${demo.payPath}?card=paid`, 'Payment to Demo Tuition');
    await expect(page.getByText(/We're confirming your payment/)).toBeVisible();
  },
  async 'report-export'(page) {
    await open(page, '/reports', 'Tutor Earnings Report');
    await button(page, 'Export').click();
    await expect(page.getByRole('menuitem', { name: 'Export CSV' })).toBeVisible();
  },
};

/** Shows the payment page as if the demo account had a Stripe account. */
const stubCardPayments = (page: Page): Promise<unknown> =>
  page.route(/\/api\/pay\/[\w-]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), card: { pending: false } } });
  });

const openAccount = (page: Page, { payer }: DemoData): Promise<void> =>
  open(page, `/families/${payer.id}`, payer.name);

async function openPayment(page: Page, { payment: { id, familyId } }: DemoData): Promise<void> {
  await page.goto(`/families/${familyId}?payment=${id}`);
  await expect(dialog(page, 'Payment')).toContainText('Covers');
}

const openDraftInvoice = (page: Page, { draftInvoices: [draft] }: DemoData): Promise<void> =>
  open(page, `/invoices/${draft?.id}`, 'Draft invoice');
