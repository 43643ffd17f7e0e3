import type { Invoice } from '@lessonbook/contract/invoices';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openCharge, paymentFormData } from '../test/family-and-payment-fixtures.ts';
import { draftInvoice, invoice, invoiceLine } from '../test/invoice-fixtures.ts';
import { json, mockApi, type RecordedCall } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

function openInvoice(shown: Invoice, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [`GET /api/invoices/${shown.id}`]: () => json(200, shown),
    ...handlers,
  });
  return { ...renderApp(`/invoices/${shown.id}`), server };
}

const lastLine = (call: RecordedCall | undefined) =>
  (call?.body as { lines: unknown[] } | undefined)?.lines.at(-1);

const customItem = invoiceLine({
  position: 3,
  chargeId: null,
  sessionId: null,
  studentName: null,
  description: 'Book',
  amount: 450,
});
const upcomingLesson = invoiceLine({
  position: 4,
  chargeId: null,
  sessionId: 44,
  isFutureSession: true,
});

test('removing a line saves the rest of the draft, and can be undone', async () => {
  const full = draftInvoice({
    lines: [...draftInvoice().lines, customItem, upcomingLesson],
    note: 'Kind regards',
  });
  const { user, server } = openInvoice(full, {
    'PUT /api/invoices/12': () => json(200, draftInvoice()),
  });
  const remove = await screen.findAllByRole('button', { name: /^Remove Maths lesson, Tue 6 Oct/ });
  await user.click(remove[0] as HTMLElement);
  await screen.findByText('Item removed');
  expect(server.last('PUT /api/invoices/12')?.body).toEqual({
    lines: [{ chargeId: 2 }, { description: 'Book', amount: 450 }, { sessionId: 44, studentId: 3 }],
    dueOn: '2026-11-17',
    note: 'Kind regards',
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.count('PUT /api/invoices/12')).toBe(2));
  const restored = server.last('PUT /api/invoices/12')?.body as { lines: unknown[] };
  expect(restored.lines).toHaveLength(4);
});

test('an item needs a description and an amount', async () => {
  const { user, server } = openInvoice(draftInvoice(), {
    'PUT /api/invoices/12': () =>
      json(200, draftInvoice({ lines: [...draftInvoice().lines, customItem] })),
  });
  await user.click(await screen.findByRole('button', { name: 'Add item' }));
  const modal = await screen.findByRole('dialog', { name: 'Add item' });
  await user.click(within(modal).getByRole('button', { name: 'Add item' }));
  expect(within(modal).getByText('Please enter a description')).toBeTruthy();
  expect(within(modal).getByText('Please enter an amount')).toBeTruthy();
  await user.type(within(modal).getByLabelText('Description'), 'Book');
  await user.type(within(modal).getByLabelText('Amount'), '4,50{Enter}');
  await waitFor(() => expect(server.count('PUT /api/invoices/12')).toBe(1));
  expect(lastLine(server.last('PUT /api/invoices/12'))).toEqual({
    description: 'Book',
    amount: 450,
  });
});

test('lessons that are not on any invoice can be added', async () => {
  const { user, server } = openInvoice(draftInvoice(), {
    'GET /api/invoices/12/choices': () => json(200, [upcomingLesson]),
    'PUT /api/invoices/12': () =>
      json(200, draftInvoice({ lines: [...draftInvoice().lines, upcomingLesson] })),
  });
  await user.click(await screen.findByRole('button', { name: 'Add lesson' }));
  await user.click(await screen.findByRole('checkbox', { name: /upcoming/ }));
  await user.click(screen.getByRole('button', { name: 'Add 1 lesson (£35)' }));
  await waitFor(() => expect(server.count('PUT /api/invoices/12')).toBe(1));
  // After Maya's line, before Leo's.
  const lines = [{ chargeId: 1 }, { sessionId: 44, studentId: 3 }, { chargeId: 2 }];
  expect(server.last('PUT /api/invoices/12')?.body).toMatchObject({ lines });
});

test('issuing shows its impact first, and then the issued invoice', async () => {
  const shown = draftInvoice({ lines: [...draftInvoice().lines, upcomingLesson], total: 10500 });
  const { user, server } = openInvoice(shown, {
    'POST /api/invoices/issue': () => json(200, [invoice()]),
  });
  await user.click(await screen.findByRole('button', { name: 'Issue' }));
  const modal = await screen.findByRole('dialog', { name: 'Issue this invoice?' });
  expect(modal.textContent).toContain(
    "This invoice for £105, of which £70 is left to pay, will be numbered now and can't be changed afterwards.",
  );
  expect(within(modal).getByRole('button', { name: 'Issue and send (£70)' })).toBeTruthy();
  expect(modal.textContent).toContain('1 upcoming lesson is charged now.');
  server.handlers['GET /api/invoices/12'] = () => json(200, invoice());
  await user.click(within(modal).getByRole('button', { name: 'Issue without sending' }));
  expect(await screen.findByRole('heading', { name: 'Invoice 0012' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  expect(server.last('POST /api/invoices/issue')?.body).toEqual({ ids: [12] });
});

test('F102 issuing asks for bank details while families cannot see how to pay', async () => {
  const business = {
    tradingName: 'Fenwick Tuition',
    accountName: null,
    sortCode: null,
    accountNumber: null,
    dueDays: 7,
    invoicePrefix: '',
    nextInvoiceNumber: 1,
    bankDetailsChangedAt: null,
  };
  const steps = { student: true, lesson: true, payment: false, reminders: false };
  const { user, server } = openInvoice(draftInvoice(), {
    'GET /api/onboarding': () => json(200, steps),
    'GET /api/settings/business': () => json(200, business),
    'PUT /api/settings/business': () => {
      server.handlers['GET /api/onboarding'] = () => json(200, { ...steps, payment: true });
      return json(200, business);
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Issue' }));
  const modal = await screen.findByRole('dialog', { name: 'Issue this invoice?' });
  const bank = within(await within(modal).findByRole('region', { name: 'Add your bank details' }));
  await user.type(bank.getByLabelText('Account name'), 'A Fenwick');
  await user.type(bank.getByLabelText('Sort code'), '200000');
  await user.type(bank.getByLabelText('Account number'), '55779911');
  await user.click(bank.getByRole('button', { name: 'Save bank details' }));
  await waitFor(() => expect(within(modal).queryByText('Add your bank details')).toBeNull());
  expect(server.last('PUT /api/settings/business')?.body).toMatchObject({
    tradingName: 'Fenwick Tuition',
    accountName: 'A Fenwick',
    sortCode: '200000',
    accountNumber: '55779911',
  });
});

test('a draft without lines cannot be issued', async () => {
  openInvoice(draftInvoice({ lines: [], total: 0 }));
  const issue = await screen.findByRole<HTMLButtonElement>('button', { name: 'Issue' });
  expect(issue.disabled).toBe(true);
});

test('an issued invoice has a PDF and a link, and voiding it shows the impact first', async () => {
  const { user, server } = openInvoice(invoice({ paid: 500 }), {
    'POST /api/invoices/12/void': () => json(200, invoice({ state: 'void' })),
  });
  const pdf = await screen.findByRole('link', { name: 'Download PDF' });
  expect(pdf.getAttribute('href')).toBe('/api/invoices/12.pdf');
  expect(screen.getByRole('button', { name: 'Copy link, invoice 0012' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Void' }));
  const modal = await screen.findByRole('dialog', { name: 'Void this invoice?' });
  expect(modal.textContent).toContain('0012 stays in your records, marked as void');
  expect(modal.textContent).toContain('Its lessons can be invoiced again.');
  expect(modal.textContent).toContain('The £5 already paid will become credit.');
  await user.type(within(modal).getByLabelText('Reason'), 'Wrong month');
  await user.click(within(modal).getByRole('button', { name: 'Void 0012' }));
  await screen.findByText('Invoice voided');
  expect(server.last('POST /api/invoices/12/void')?.body).toEqual({ reason: 'Wrong month' });
});

test('F136 recording a payment for an issued invoice suggests the amount that is left to pay', async () => {
  const { user, server } = openInvoice(invoice({ state: 'overdue', due: 3500 }), {
    'GET /api/payments/form': () =>
      json(200, paymentFormData({ preselectedChargeIds: [1], charges: [openCharge({ id: 1 })] })),
  });
  await user.click(await screen.findByRole('button', { name: 'Record payment' }));
  const amount = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Amount' });
  expect(amount.value).toBe('35');
  expect(server.last('GET /api/payments/form')?.url).toContain('invoiceId=12');
});

test('a paid invoice has no button for recording a payment', async () => {
  openInvoice(invoice({ state: 'paid', due: 0 }));
  await screen.findByRole('link', { name: 'Download PDF' });
  expect(screen.queryByRole('button', { name: 'Record payment' })).toBeNull();
});

test('F30 for a day after the bank details are changed, an issued invoice shows a notice', async () => {
  openInvoice(invoice({ bankDetailsChangedAt: '2026-11-15T08:30:00Z' }));
  expect(await screen.findByText(/^Bank details changed on 15 Nov 2026 at 08:30\./)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'choose a new password' })).toBeTruthy();
});

test('F83 the link to an issued invoice can be replaced after a confirmation', async () => {
  const { user, server } = openInvoice(invoice(), {
    'POST /api/invoices/12/link/replace': () => json(200, { token: 'i_new' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Replace link' }));
  const modal = await screen.findByRole('dialog', { name: 'Replace the link?' });
  await user.click(within(modal).getByRole('button', { name: 'Replace link' }));
  expect(await screen.findByText('Link replaced')).toBeTruthy();
  expect(server.last('POST /api/invoices/12/link/replace')).toBeTruthy();
});

test('a credit note credits the chosen amounts and opens afterwards', async () => {
  const note = invoice({
    id: 15,
    kind: 'credit_note',
    number: 'CN-0001',
    state: 'paid',
    corrects: { id: 12, number: '0012' },
  });
  const { user, server } = openInvoice(invoice(), {
    'POST /api/invoices/12/credit-note': () => json(201, note),
    'GET /api/invoices/15': () => json(200, note),
  });
  await user.click(await screen.findByRole('button', { name: 'Credit note' }));
  const dialog = await screen.findByRole('dialog', { name: 'Credit note' });
  await user.click(within(dialog).getByRole('checkbox', { name: /Maya/ }));
  const amount = within(dialog).getByRole('textbox', { name: /^Amount to credit, Maya/ });
  await user.clear(amount);
  await user.type(amount, '40');
  expect(within(dialog).getByText('You can credit up to 35')).toBeTruthy();
  await user.clear(amount);
  await user.type(amount, '12.50');
  await user.click(within(dialog).getByRole('button', { name: 'Credit £12.50' }));
  expect(await screen.findByRole('heading', { name: 'Credit note CN-0001' })).toBeTruthy();
  expect(screen.getByRole('link', { name: '0012' }).getAttribute('href')).toBe('/invoices/12');
  expect(server.last('POST /api/invoices/12/credit-note')?.body).toEqual({
    lines: [{ chargeId: 1, amount: 1250 }],
  });
});

test('a partly credited invoice cannot be voided and links to its credit notes', async () => {
  openInvoice(invoice({ creditNotes: [{ id: 15, number: 'CN-0001', total: 1250, reason: null }] }));
  const link = await screen.findByRole('link', { name: 'CN-0001' });
  expect(link.getAttribute('href')).toBe('/invoices/15');
  expect(screen.queryByRole('button', { name: 'Void' })).toBeNull();
});

test('an unknown invoice shows a message, and a failed request can be retried', async () => {
  const { user, server } = openInvoice(invoice(), {
    'GET /api/invoices/12': () => json(500, {}),
  });
  await screen.findByText("We couldn't load the invoice.");
  server.handlers['GET /api/invoices/12'] = () => json(404, { message: 'No' });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Invoice not found')).toBeTruthy();
});
