import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { batch } from '../test/batch-fixtures.ts';
import { family } from '../test/family-and-payment-fixtures.ts';
import { draftInvoice, invoiceListRow, invoiceSummary } from '../test/invoice-fixtures.ts';
import { messagePreview } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { selectOption } from '../test/select-option.ts';
import { ada } from '../test/user-fixtures.ts';

const rows = [
  invoiceListRow({ id: 14, number: null, state: 'draft', issuedOn: null, dueOn: null }),
  invoiceListRow({
    id: 13,
    number: '0013',
    state: 'overdue',
    due: 3550,
    dueOn: '2026-11-12',
    reminderCount: 2,
  }),
  invoiceListRow({
    id: 12,
    state: 'paid',
    due: 0,
    familyId: 4,
    familyName: 'Omar Aziz',
    students: ['Omar'],
    payment: { method: 'card', date: '2026-11-11' },
  }),
];

function openInvoices(url: string, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices': () => json(200, rows),
    'GET /api/invoices/summary': () => json(200, invoiceSummary()),
    'GET /api/families': () => json(200, [family()]),
    'GET /api/batches': () => json(200, []),
    'GET /api/settings/business': () => json(200, { accountNumber: null, iban: null }),
    ...handlers,
  });
  return { ...renderApp(url), server };
}

// The page remembers its filters and order.
afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
});

const findRow = (name: RegExp) => screen.findByRole('row', { name });

test('F135 F136 each row shows the number, family, dates, status, what happened last and the amount', async () => {
  openInvoices('/invoices', {
    'GET /api/invoices': () =>
      json(200, [
        ...rows,
        invoiceListRow({ id: 11, number: '0011' }),
        invoiceListRow({
          id: 10,
          number: '0010',
          message: { channel: 'email', state: 'sent', at: '2026-11-13T09:00:00Z' },
        }),
      ]),
  });
  const overdue = await findRow(/0013/);
  expect(within(overdue).getByRole('link', { name: '0013' }).getAttribute('href')).toBe(
    '/invoices/13',
  );
  expect(within(overdue).getByRole('link', { name: 'Ruth Hale' }).getAttribute('href')).toBe(
    '/families/3',
  );
  expect(within(overdue).getByRole('cell', { name: '12 Nov' })).toBeTruthy();
  expect(within(overdue).getByRole('cell', { name: '3 days late, reminded twice' })).toBeTruthy();
  expect((await findRow(/0012/)).textContent).toContain('Card, 11 Nov');
  expect((await findRow(/0011/)).textContent).toMatch(/Issued.*Not emailed/);
  expect((await findRow(/0010/)).textContent).toMatch(/Issued.*Emailed 13 Nov/);
});

test('F135 the filters show their counts, and the footer shows the totals of the filtered invoices', async () => {
  openInvoices('/invoices');
  expect(await screen.findByRole('button', { name: 'Overdue 1' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'All 3' }).getAttribute('aria-pressed')).toBe('true');
  const footer = screen.getByText('3 invoices').closest('tfoot');
  expect(footer?.textContent).toBe('3 invoicesTotal £210Due £35.50Overdue £35.50');
});

test('F135 search, filter, period and order are sent to the server and kept in the URL', async () => {
  const { user, server, search } = openInvoices('/invoices');
  const lastUrl = () => server.last('GET /api/invoices')?.url ?? '';
  await user.click(await screen.findByRole('button', { name: 'Overdue 1' }));
  await waitFor(() => expect(lastUrl()).toContain('state=overdue'));
  await user.type(screen.getByRole('searchbox', { name: 'Search invoices' }), 'ruth 35.50');
  await waitFor(() => expect(lastUrl()).toContain('search=ruth+35.50'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Issued' }), 'This tax year');
  await waitFor(() => expect(lastUrl()).toContain('from=2026-04-06&to=2027-04-05'));
  await user.click(screen.getByRole('button', { name: 'Amount' }));
  await waitFor(() => expect(lastUrl()).toContain('sort=amount&direction=asc'));
  expect(server.last('GET /api/invoices/summary')?.url).toContain('search=ruth+35.50');
  expect(search()).toEqual({
    state: 'overdue',
    q: 'ruth 35.50',
    period: 'this_tax_year',
    sort: 'amount',
    direction: 'asc',
  });
  expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe(
    'ascending',
  );
});

test('F135 the URL opens the list as it was left', async () => {
  const { server } = openInvoices('/invoices?state=paid&q=omar&sort=family&direction=asc');
  const searchbox = await screen.findByRole<HTMLInputElement>('searchbox');
  expect(searchbox.value).toBe('omar');
  const { url } = server.last('GET /api/invoices') ?? { url: '' };
  expect(url).toMatch(/state=paid.*search=omar.*sort=family.*direction=asc/);
});

test('if no invoice matches, the page shows a message and offers to clear the filters', async () => {
  const { user, server, search } = openInvoices('/invoices?q=unknown', {
    'GET /api/invoices': () => json(200, []),
  });
  await screen.findByText(/No invoices match these filters/);
  server.handlers['GET /api/invoices'] = () => json(200, rows);
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await findRow(/0013/)).toBeTruthy();
  expect(search()).toEqual({});
});

test('F135 a reminder goes once to each family of the selected overdue invoices', async () => {
  const overdue = (id: number, familyId: number, familyName: string) =>
    invoiceListRow({ id, number: `00${id}`, familyId, familyName, state: 'overdue' });
  const list = [
    overdue(21, 3, 'Ruth Hale'),
    overdue(22, 3, 'Ruth Hale'),
    overdue(23, 4, 'Omar Aziz'),
    invoiceListRow({ id: 24, number: '0024', state: 'paid', due: 0 }),
  ];
  const { user, server, search } = openInvoices('/invoices', {
    'GET /api/invoices': () => json(200, list),
    'POST /api/reminders/preview': () =>
      json(200, messagePreview({ subject: 'Payment reminder: £140', text: 'Hi Ruth,' })),
    'POST /api/batches': () => json(201, batch({ id: 5, kind: 'send_reminders' })),
    'GET /api/batches/5': () => json(200, batch({ id: 5, kind: 'send_reminders' })),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select all rows shown' }));
  const bar = within(screen.getByRole('region', { name: 'Selected invoices' }));
  expect(bar.getByRole('status').textContent).toBe('4 selected, £210 due');
  expect(search()).toEqual({ selected: '21-22-23-24' });
  await user.click(bar.getByRole('button', { name: 'Send reminder' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Send reminders?' }));
  expect(modal.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Ruth Hale0021 and 0022£140',
    'Omar Aziz0023£70',
  ]);
  expect(await modal.findByText('Payment reminder: £140')).toBeTruthy();
  expect(server.count('POST /api/batches')).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Send 2 reminders' }));
  expect(await screen.findByRole('heading', { name: 'Sending reminders' })).toBeTruthy();
  const sent = server.last('POST /api/batches');
  expect(sent?.body).toEqual({ kind: 'send_reminders', ids: [3, 4] });
  expect(new Headers(sent?.init.headers).get('Idempotency-Key')).toBeTruthy();
});

test('F131 selected drafts are reviewed before they are issued', async () => {
  const { user, search, pathname } = openInvoices('/invoices?selected=14', {
    'POST /api/batches/preview': () =>
      json(200, { rows: [], numbers: [], dueOn: '2026-11-29', problem: null }),
  });
  const bar = within(await screen.findByRole('region', { name: 'Selected invoices' }));
  expect(bar.queryByRole('button', { name: 'Send reminder' })).toBeNull();
  await user.click(bar.getByRole('button', { name: 'Send invoices' }));
  await waitFor(() => expect(pathname()).toBe('/invoices/everyone'));
  expect(search()).toEqual({ drafts: '14' });
});

test('F131 selected drafts are deleted after a confirmation, and Undo restores them', async () => {
  const deleted = { familyId: 3, currency: 'GBP', lines: [], note: null };
  const { user, server } = openInvoices('/invoices?selected=14', {
    'POST /api/invoices/drafts/delete': () => json(200, { drafts: [deleted] }),
    'POST /api/invoices/drafts/restore': () => json(201, [rows[0]]),
  });
  const bar = within(await screen.findByRole('region', { name: 'Selected invoices' }));
  await user.click(bar.getByRole('button', { name: 'Delete draft' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Delete this draft?' }));
  expect(server.count('POST /api/invoices/drafts/delete')).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Delete draft' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('1 draft restored')).toBeTruthy();
  expect(server.last('POST /api/invoices/drafts/delete')?.body).toEqual({ ids: [14] });
  expect(server.last('POST /api/invoices/drafts/restore')?.body).toEqual({ drafts: [deleted] });
});

test('F130 the list shows how many invoices are being sent and how many could not be sent', async () => {
  const { items: _, ...running } = batch({ id: 5, done: 4, total: 8 });
  openInvoices('/invoices', {
    'GET /api/batches': () =>
      json(200, [running, { ...running, id: 4, isRunning: false, done: 7, notDone: 1 }]),
  });
  expect(await screen.findByText('Sending invoices: 4 of 8 done')).toBeTruthy();
  expect(screen.getByText('1 of 8 invoices not sent')).toBeTruthy();
  const links = screen.getAllByRole('link', { name: 'View' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/batches/5', '/batches/4']);
});

test('F135 on a phone, invoices are rows that can be selected after pressing Select', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      Object.assign(new EventTarget(), {
        matches: media.includes('max-width: 47.99em'),
      }) as MediaQueryList,
  );
  const { user } = openInvoices('/invoices');
  const overdue = await screen.findByRole('link', { name: /0013/ });
  expect(overdue.textContent).toContain('0013, Leo and Maya');
  expect(overdue.textContent).toContain('3 days late, reminded twice');
  expect(overdue.textContent).toContain('due 12 Nov');
  expect(screen.queryByRole('checkbox')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Select' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select 0013' }));
  const bar = within(screen.getByRole('region', { name: 'Selected invoices' }));
  expect(bar.getByRole('status').textContent).toBe('1 selected, £35.50 due');
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('region', { name: 'Selected invoices' })).toBeNull();
});

test('F135 text typed while a search is running is kept', async () => {
  const { user, search } = openInvoices('/invoices');
  const field = await screen.findByRole<HTMLInputElement>('searchbox');
  await user.type(field, 'ru');
  await waitFor(() => expect(search()).toEqual({ q: 'ru' }));
  await user.type(field, 'th');
  expect(field.value).toBe('ruth');
  await waitFor(() => expect(search()).toEqual({ q: 'ruth' }));
  expect(field.value).toBe('ruth');
});

test('F135 changing the filter clears the selection', async () => {
  const { user, search } = openInvoices('/invoices?selected=12-13');
  await screen.findByRole('region', { name: 'Selected invoices' });
  await user.click(screen.getByRole('button', { name: 'Paid 1' }));
  await waitFor(() => expect(search()).toEqual({ state: 'paid' }));
  expect(screen.queryByRole('region', { name: 'Selected invoices' })).toBeNull();
});

test('Show more loads the next page and disappears after the last one', async () => {
  const many = Array.from({ length: 50 }, (_, index) => invoiceListRow({ id: 100 + index }));
  const counts = { all: 51, draft: 0, sent: 51, overdue: 0, paid: 0 };
  const { user, server } = openInvoices('/invoices', {
    'GET /api/invoices': () => json(200, many),
    'GET /api/invoices/summary': () => json(200, invoiceSummary({ counts })),
  });
  const more = await screen.findByText('Show more');
  expect(await screen.findByText('50 of 51 invoices')).toBeTruthy();
  server.handlers['GET /api/invoices'] = () =>
    json(200, [invoiceListRow({ id: 1, number: '0001' })]);
  await user.click(more);
  expect(await screen.findByText('0001')).toBeTruthy();
  expect(server.last('GET /api/invoices')?.url).toContain('offset=50');
  expect(screen.queryByText('Show more')).toBeNull();
});

test('a failed request can be retried, and the empty list offers what is ready to invoice', async () => {
  const uninvoiced = {
    lessons: 3,
    families: 2,
    totals: [{ currency: 'GBP' as const, amount: 11_400 }],
  };
  const { user, server } = openInvoices('/invoices', {
    'GET /api/invoices': () => json(500, {}),
    'GET /api/invoices/summary': () => json(200, invoiceSummary({ uninvoiced })),
  });
  await screen.findByText(/^We couldn't load your invoices/);
  server.handlers['GET /api/invoices'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No invoices yet')).toBeTruthy();
  expect(
    screen.getByText(/^3 completed lessons for 2 families are ready to invoice, £114 in total/),
  ).toBeTruthy();
  expect(screen.getByRole('link', { name: 'add your bank details' })).toBeTruthy();
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('if the list cannot be updated, the old list stays visible without actions', async () => {
  const { user, server, queryClient } = openInvoices('/invoices');
  await findRow(/0013/);
  server.handlers['GET /api/invoices'] = () => json(500, {});
  await queryClient.refetchQueries({ queryKey: ['/api/invoices', 'list'] });
  expect((await screen.findByRole('alert')).textContent).toContain(
    "We couldn't update your invoices.",
  );
  expect(screen.queryByRole('checkbox')).toBeNull();
  server.handlers['GET /api/invoices'] = () => json(200, rows);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('checkbox', { name: 'Select 0013' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a new invoice needs a payer and opens as a draft', async () => {
  const { user, server, pathname } = openInvoices('/invoices', {
    'POST /api/invoices': () => json(201, [rows[0]]),
    'GET /api/invoices/14': () => json(200, draftInvoice({ id: 14 })),
  });
  await user.click(await screen.findByRole('button', { name: 'New invoice' }));
  const dialog = await screen.findByRole('dialog', { name: 'New invoice' });
  await user.click(within(dialog).getByRole('button', { name: 'Draft invoice' }));
  expect(within(dialog).getByText('Please choose who to invoice')).toBeTruthy();
  await selectOption(user, within(dialog).getByRole('combobox', { name: 'Payer' }), /^Ruth Hale/);
  await user.click(within(dialog).getByRole('button', { name: 'Draft invoice' }));
  expect(await screen.findByRole('heading', { name: 'Draft invoice' })).toBeTruthy();
  expect(pathname()).toBe('/invoices/14');
  const sent = server.last('POST /api/invoices');
  expect(sent?.body).toEqual({
    familyId: 3,
    // F110: everything that is not invoiced yet.
    from: '1900-01-01',
    to: '2026-11-30',
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
