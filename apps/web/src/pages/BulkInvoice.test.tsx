import type { InvoiceBatchRow } from '@lessonbook/contract/invoice-and-reminder-batches';
import { NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { batch, invoiceBatchRow } from '../test/batch-fixtures.ts';
import { draftInvoice } from '../test/invoice-fixtures.ts';
import { messagePreview } from '../test/message-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const PREVIEW = 'POST /api/batches/preview';
const START = 'POST /api/batches';

const ruth = invoiceBatchRow();
const omar = invoiceBatchRow({
  id: 22,
  familyId: 4,
  familyName: 'Omar Aziz',
  students: ['Omar'],
  total: 3550,
  due: 3550,
  lineCount: 1,
  lessonCount: 1,
  firstDate: '2026-11-10',
  address: null,
  problem: 'Omar Aziz has no email address yet. Please add one.',
});
const emptyDraft = invoiceBatchRow({
  id: 24,
  familyId: 5,
  familyName: 'Tom Reed',
  total: 0,
  due: 0,
  lineCount: 0,
  lessonCount: 0,
  firstDate: null,
  lastDate: null,
});

const previewReply = (rows: InvoiceBatchRow[], problem: string | null = null) =>
  json(200, {
    rows,
    numbers: rows.filter(({ number }) => number === null).map((_, index) => `000${index + 7}`),
    dueOn: '2026-11-29',
    problem,
  });

function openBulkInvoice(
  url: string,
  rows: InvoiceBatchRow[],
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices': () => json(200, []),
    'POST /api/invoices/bulk': () =>
      json(
        201,
        rows.map(({ id }) => draftInvoice({ id })),
      ),
    [PREVIEW]: () => previewReply(rows),
    'POST /api/invoices/21/send/preview': () =>
      json(200, messagePreview({ subject: 'Invoice [number]: £70', text: 'Hi Ruth, [link]' })),
    'GET /api/batches': () => json(200, []),
    [START]: () => json(201, batch()),
    'GET /api/batches/5': () => json(200, batch()),
    ...handlers,
  });
  return { ...renderApp(url), server };
}

test('the description of the period says whether upcoming lessons are included', async () => {
  const { user } = openBulkInvoice('/invoices/everyone', [ruth]);
  await user.click(await screen.findByRole('switch', { name: /^Include upcoming lessons/ }));
  expect(
    screen.getByText('Unpaid charges and upcoming lessons not yet invoiced, up to Mon 30 Nov'),
  ).toBeTruthy();
});

test('F110 F131 everything not invoiced is drafted, reviewed, and issued only after the list is confirmed', async () => {
  const { user, server, pathname } = openBulkInvoice('/invoices/everyone', [ruth, omar]);
  expect(await screen.findByText('Unpaid charges not yet invoiced, up to Mon 30 Nov')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Draft invoices' }));
  expect(await screen.findByRole('heading', { name: 'Review 2 invoices' })).toBeTruthy();
  expect(server.last('POST /api/invoices/bulk')?.body).toEqual({
    from: '1900-01-01',
    to: '2026-11-30',
    includeUpcoming: false,
  });
  expect(server.last(PREVIEW)?.body).toEqual({ ids: [21, 22] });
  expect(screen.getByText('2 lessons, 3 Nov to 10 Nov')).toBeTruthy();
  expect(screen.getByText('2 of 2 families, numbers 0007 to 0008')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add email for Omar Aziz' })).toBeTruthy();
  expect(
    screen.getByText(/^2 invoices will be issued and numbered. 1 will be emailed now. Omar/),
  ).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Issue 2 invoices and email 1' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Issue 2 invoices?' }));
  expect(modal.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Ruth Hale0007, ruth@hale.example£70.00',
    'Omar Aziz0008, no email will be sent£35.50',
  ]);
  expect(await modal.findByText('Invoice [number]: £70')).toBeTruthy();
  expect(server.count(START)).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Issue 2 invoices and email 1' }));
  await waitFor(() => expect(pathname()).toBe('/batches/5'));
  expect(server.last(START)?.body).toEqual({ kind: 'send_invoices', ids: [21, 22] });
});

test('F130 a retry after a lost response uses the same key', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth], {
    [START]: () => Promise.reject(new TypeError()),
  });
  await user.click(await screen.findByRole('button', { name: 'Issue and email 1 invoice' }));
  const modal = within(await screen.findByRole('dialog'));
  const confirm = modal.getByRole('button', { name: 'Issue and email 1 invoice' });
  const lastKey = () => new Headers(server.last(START)?.init.headers).get('Idempotency-Key');
  await user.click(confirm);
  await screen.findByText("We couldn't get started. Please try again.");
  const first = lastKey();
  server.handlers[START] = () => json(201, batch());
  await user.click(confirm);
  expect(await screen.findByRole('heading', { name: 'Sending invoices' })).toBeTruthy();
  expect(lastKey()).toBe(first);
});

test('F131 invoices can be issued without emailing them', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth]);
  await user.click(await screen.findByRole('button', { name: 'Issue and email 1 invoice' }));
  const modal = within(await screen.findByRole('dialog'));
  await user.click(modal.getByRole('checkbox', { name: 'Email them now' }));
  await user.click(modal.getByRole('button', { name: 'Issue 1 invoice' }));
  await waitFor(() =>
    expect(server.last(START)?.body).toEqual({ kind: 'issue_invoices', ids: [21] }),
  );
});

test('F131 unticked drafts and empty drafts are left out', async () => {
  const { user } = openBulkInvoice('/invoices/everyone?drafts=21-22-24', [ruth, omar, emptyDraft]);
  expect(await screen.findByRole('button', { name: 'Issue 2 invoices and email 1' })).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'Select the invoice for Ruth Hale' }));
  expect(screen.getByRole('button', { name: 'Issue 1 invoice' })).toBeTruthy();
  expect(screen.getByText('1 of 3 families, number 0007')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete 2 drafts' })).toBeTruthy();
});

test('F131 drafts are deleted together after a confirmation', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21-22', [ruth, omar], {
    'POST /api/invoices/drafts/delete': () => json(200, { drafts: [] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Delete 2 drafts' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Delete 2 drafts?' }));
  expect(modal.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Ruth Hale£70.00',
    'Omar Aziz£35.50',
  ]);
  server.handlers[PREVIEW] = () => json(404, { message: 'Invoice not found' });
  await user.click(modal.getByRole('button', { name: 'Delete 2 drafts' }));
  await waitFor(() =>
    expect(server.last('POST /api/invoices/drafts/delete')?.body).toEqual({ ids: [21, 22] }),
  );
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy();
});

test('a preview shows the lines and the email, and a line can be removed', async () => {
  let draft = draftInvoice({ id: 21 });
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth], {
    'GET /api/invoices/21': () => json(200, draft),
    'PUT /api/invoices/21': () => {
      draft = { ...draft, lines: draft.lines.slice(0, 1), total: 3500 };
      return json(200, draft);
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Preview invoice for Ruth Hale' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Preview' }));
  expect(await modal.findByText('Hi Ruth, [link]')).toBeTruthy();
  const remove = modal.getAllByRole('button', { name: /^Remove/ });
  await user.click(remove[1] as HTMLElement);
  await waitFor(() => expect(server.count('PUT /api/invoices/21')).toBe(1));
  expect(modal.getByRole('link', { name: 'Edit draft' })).toBeTruthy();
});

test('without a way to be paid, invoices can be issued but not emailed', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth], {
    [PREVIEW]: () => previewReply([ruth], NO_PAYMENT_METHOD_MESSAGE),
  });
  await user.click(await screen.findByRole('button', { name: 'Issue 1 invoice' }));
  expect(screen.getByRole('link', { name: 'Add a way to be paid' })).toBeTruthy();
  const modal = within(await screen.findByRole('dialog', { name: 'Issue 1 invoice?' }));
  await user.click(modal.getByRole('button', { name: 'Issue 1 invoice' }));
  await waitFor(() =>
    expect(server.last(START)?.body).toEqual({ kind: 'issue_invoices', ids: [21] }),
  );
});

test('a period with nothing to invoice shows a message and creates no drafts', async () => {
  const { user } = openBulkInvoice('/invoices/everyone', []);
  await user.click(await screen.findByRole('button', { name: 'Draft invoices' }));
  expect(await screen.findByText("There's nothing left to invoice in this period.")).toBeTruthy();
});

test('a custom period and upcoming lessons are sent to the server', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone', []);
  await user.click(await screen.findByRole('radio', { name: 'Custom' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'First day' });
  expect(field.value).toBe('1 Nov 2026');
  await user.click(screen.getByRole('switch', { name: /^Include upcoming lessons/ }));
  await user.click(screen.getByRole('button', { name: 'Draft invoices' }));
  await waitFor(() => expect(server.count('POST /api/invoices/bulk')).toBe(1));
  expect(server.last('POST /api/invoices/bulk')?.body).toEqual({
    from: '2026-11-01',
    to: '2026-11-30',
    includeUpcoming: true,
  });
});

test('existing drafts can also be reviewed', async () => {
  const { user } = openBulkInvoice('/invoices/everyone', [ruth], {
    'GET /api/invoices': () => json(200, [draftInvoice({ id: 21 })]),
  });
  await user.click(await screen.findByRole('button', { name: 'Review 1 earlier draft' }));
  expect(await screen.findByRole('heading', { name: 'Review 1 invoice' })).toBeTruthy();
});

test('a failed request can be retried, and a message is shown if the drafts were deleted elsewhere', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth], {
    [PREVIEW]: () => json(500, {}),
  });
  await screen.findByText("We couldn't load the drafts. Your records are safe.");
  server.handlers[PREVIEW] = () => json(404, { message: 'Invoice not found' });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('These drafts have been deleted.')).toBeTruthy();
});
