import type { Invoice } from '@lessonbook/contract/invoices';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draftInvoice, invoice } from '../test/invoice-fixtures.ts';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const ruth = draftInvoice({ id: 21 });
const omar = draftInvoice({ id: 22, familyName: 'Omar Aziz', students: ['Omar'], total: 3550 });
const lena = draftInvoice({ id: 23, familyName: 'Lena Vogt', currency: 'EUR', total: 4000 });
const emptyDraft = draftInvoice({ id: 24, familyName: 'Tom Reed', lines: [], total: 0 });

function openBulkInvoice(
  url: string,
  drafts: Invoice[],
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices': () => json(200, []),
    'POST /api/invoices/bulk': () => json(201, drafts),
    ...Object.fromEntries(
      drafts.map((draft) => [`GET /api/invoices/${draft.id}`, () => json(200, draft)]),
    ),
    ...handlers,
  });
  return { ...renderApp(url), server };
}

test("last month's invoices for all families are drafted, reviewed and issued", async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone', [ruth, omar]);
  await user.click(await screen.findByRole('button', { name: 'Draft invoices' }));
  const issue = await screen.findByRole('button', { name: 'Issue 2, £105.50' });
  const sent = server.last('POST /api/invoices/bulk');
  expect(sent?.body).toEqual({ from: '2026-10-01', to: '2026-10-31', includeUpcoming: false });
  expect(new Headers(sent?.init.headers).get('Idempotency-Key')).toBeTruthy();

  for (const [id, number] of [
    [21, '0021'],
    [22, '0022'],
  ] as const) {
    server.handlers[`GET /api/invoices/${id}`] = () =>
      json(200, invoice({ id, number, token: `i_${id}` }));
  }
  server.handlers['POST /api/invoices/issue'] = () => json(200, [invoice(), invoice()]);
  await user.click(issue);
  expect(await screen.findByRole('heading', { name: '2 invoices issued, £140' })).toBeTruthy();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(screen.getByRole('button', { name: 'Copy link, invoice 0022' }));
  expect(writeText.mock.lastCall?.[0]).toMatch(/\/invoices\/i_22$/);
  const pdf = screen.getByRole('link', { name: 'PDF, invoice 0021' });
  expect(pdf.getAttribute('href')).toBe('/api/invoices/21.pdf');
});

test('the button shows the number and totals of the selected drafts, one total per currency; an empty draft cannot be selected', async () => {
  const all = [ruth, omar, lena, emptyDraft];
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21-22-23-24', all);
  expect(await screen.findByRole('button', { name: 'Issue 3, £105.50, €40' })).toBeTruthy();
  const tom = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Issue to Tom Reed' });
  expect([tom.checked, tom.disabled]).toEqual([false, true]);
  await user.click(screen.getByRole('checkbox', { name: 'Issue to Omar Aziz' }));
  server.handlers['POST /api/invoices/issue'] = () => json(200, []);
  await user.click(screen.getByRole('button', { name: 'Issue 2, £70, €40' }));
  await waitFor(() => expect(server.count('POST /api/invoices/issue')).toBe(1));
  expect(server.last('POST /api/invoices/issue')?.body).toEqual({ ids: [21, 23] });
});

test('removing a line in the list updates the total', async () => {
  let draft = ruth;
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth], {
    'GET /api/invoices/21': () => json(200, draft),
    'PUT /api/invoices/21': () => {
      draft = { ...ruth, lines: ruth.lines.slice(0, 1), total: 3500, students: ['Maya'] };
      return json(200, draft);
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Ruth Hale Leo and Maya, 2 lines/ }));
  const remove = screen.getAllByRole('button', { name: /^Remove/ });
  await user.click(remove[1] as HTMLElement);
  expect(await screen.findByRole('button', { name: 'Issue 1, £35' })).toBeTruthy();
  expect(server.last('PUT /api/invoices/21')?.body).toMatchObject({ lines: [{ chargeId: 1 }] });
});

test('a period with nothing to invoice shows a message and creates no drafts', async () => {
  const { user } = openBulkInvoice('/invoices/everyone', []);
  await user.click(await screen.findByRole('button', { name: 'Draft invoices' }));
  expect(await screen.findByText('Nothing is left to invoice in this period.')).toBeTruthy();
});

test('a custom period and upcoming lessons are sent to the server', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone', []);
  await user.click(await screen.findByRole('radio', { name: 'This month' }));
  await user.click(screen.getByRole('radio', { name: 'Custom' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'First day' });
  expect(field.value).toBe('Nov 1, 2026');
  await user.click(screen.getByRole('switch', { name: /^Include lessons still to come/ }));
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
    'GET /api/invoices': () => json(200, [ruth]),
  });
  await user.click(await screen.findByRole('button', { name: 'Review 1 draft from before' }));
  expect(await screen.findByRole('button', { name: 'Issue 1, £70' })).toBeTruthy();
});

test('a draft deleted in the meantime is omitted, and a failed request can be retried', async () => {
  const { user, server } = openBulkInvoice('/invoices/everyone?drafts=21-99-22', [ruth, omar], {
    'GET /api/invoices/99': () => json(404, { message: 'No' }),
    'GET /api/invoices/22': () => json(500, {}),
  });
  await screen.findByText('The drafts could not be loaded.');
  server.handlers['GET /api/invoices/22'] = () => json(200, omar);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Issue 2, £105.50' })).toBeTruthy();
});

test('a server error leaves the list unchanged', async () => {
  const message = 'Some lessons on the draft for Ruth Hale have changed.';
  const { user } = openBulkInvoice('/invoices/everyone?drafts=21', [ruth], {
    'POST /api/invoices/issue': () => json(409, { code: 'conflict', message }),
  });
  await user.click(await screen.findByRole('button', { name: 'Issue 1, £70' }));
  expect(await within(await screen.findByRole('alert')).findByText(message)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Issue 1, £70' })).toBeTruthy();
});
