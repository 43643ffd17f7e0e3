import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { family } from '../test/family-and-payment-fixtures.ts';
import { draftInvoice, invoiceRow } from '../test/invoice-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { selectOption } from '../test/select-option.ts';
import { ada } from '../test/user-fixtures.ts';

const rows = [
  invoiceRow({ id: 14, number: null, state: 'draft', issuedOn: null, dueOn: null }),
  invoiceRow({ id: 13, number: '0013', state: 'overdue', due: 3550, dueOn: '2026-11-12' }),
  invoiceRow({ id: 12, state: 'paid', due: 0, familyName: 'Omar Aziz', students: ['Omar'] }),
];

function openInvoices(url: string, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices': () => json(200, rows),
    'GET /api/families': () => json(200, [family()]),
    ...handlers,
  });
  return { ...renderApp(url), server };
}

test('each row shows the payer, number, status and amount due', async () => {
  openInvoices('/invoices');
  const overdue = await screen.findByRole('link', { name: /0013/ });
  expect(overdue.textContent).toContain('Ruth Hale');
  expect(overdue.textContent).toContain('0013, Leo and Maya');
  expect(overdue.textContent).toContain('Overdue');
  expect(overdue.textContent).toContain('due Thu 12 Nov');
  expect(overdue.textContent).toContain('£35.50 still due');
  expect(overdue.getAttribute('href')).toBe('/invoices/13');
  const paid = screen.getByRole('link', { name: /Omar Aziz/ });
  expect(paid.textContent).not.toContain('still due');
  expect(paid.textContent).not.toContain('due Tue');
});

test('the status filter is sent to the server, and the search covers all invoices', async () => {
  const { user, server } = openInvoices('/invoices');
  await user.click(await screen.findByRole('radio', { name: 'Overdue' }));
  await waitFor(() => expect(server.last('GET /api/invoices')?.url).toContain('state=overdue'));
  await user.type(screen.getByRole('searchbox', { name: 'Search invoices' }), 'omar');
  await waitFor(() => expect(server.last('GET /api/invoices')?.url).toContain('limit=500'));
  expect(screen.getByRole('link', { name: /Omar Aziz/ })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /0013/ })).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'x');
  expect(await screen.findByText('No invoice of that name or number.')).toBeTruthy();
});

test('Show more loads the next page and disappears after the last one', async () => {
  const many = Array.from({ length: 50 }, (_, index) => invoiceRow({ id: 100 + index }));
  const { user, server } = openInvoices('/invoices', {
    'GET /api/invoices': () => json(200, many),
  });
  const more = await screen.findByRole('button', { name: 'Show more' });
  server.handlers['GET /api/invoices'] = () => json(200, [invoiceRow({ id: 1, number: '0001' })]);
  await user.click(more);
  expect(await screen.findByText(/0001/)).toBeTruthy();
  expect(server.last('GET /api/invoices')?.url).toContain('offset=50');
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('an empty list shows a message, and a failed request can be retried', async () => {
  const { user, server } = openInvoices('/invoices', { 'GET /api/invoices': () => json(500, {}) });
  await screen.findByText('Your invoices could not be loaded.');
  server.handlers['GET /api/invoices'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/^No invoices yet/)).toBeTruthy();
});

test('a new invoice needs a payer and opens as a draft', async () => {
  const { user, server, pathname } = openInvoices('/invoices', {
    'POST /api/invoices': () => json(201, [rows[0]]),
    'GET /api/invoices/14': () => json(200, draftInvoice({ id: 14 })),
  });
  await user.click(await screen.findByRole('button', { name: 'New invoice' }));
  const dialog = await screen.findByRole('dialog', { name: 'New invoice' });
  await user.click(within(dialog).getByRole('button', { name: 'Draft invoice' }));
  expect(within(dialog).getByText('Please choose whom to invoice')).toBeTruthy();
  await selectOption(user, within(dialog).getByRole('combobox', { name: 'Payer' }), /^Ruth Hale/);
  await user.click(within(dialog).getByRole('button', { name: 'Draft invoice' }));
  expect(await screen.findByRole('heading', { name: 'Draft invoice' })).toBeTruthy();
  expect(pathname()).toBe('/invoices/14');
  const sent = server.last('POST /api/invoices');
  expect(sent?.body).toEqual({
    familyId: 3,
    from: '2026-10-01',
    to: '2026-10-31',
    includeUpcoming: false,
  });
  expect(new Headers(sent?.init.headers).get('Idempotency-Key')).toBeTruthy();
});

test("one payer's list links back to the family and preselects the payer for a new invoice", async () => {
  const { user, server } = openInvoices('/invoices?family=3');
  expect(await screen.findByRole('link', { name: 'Back to the family' })).toBeTruthy();
  expect(server.last('GET /api/invoices')?.url).toContain('familyId=3');
  await user.click(screen.getByRole('button', { name: 'New invoice' }));
  const payer = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Payer' });
  await waitFor(() => expect(payer.value).toBe('Ruth Hale'));
});
