import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draft, invoice } from '../../test/invoice-fixtures.ts';
import { message, preview } from '../../test/message-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const SEND = 'POST /api/invoices/12/send';

function openInvoice(answers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices/12': () => json(200, invoice()),
    'GET /api/messages': () => json(200, []),
    'POST /api/invoices/12/send/preview': () =>
      json(200, preview({ subject: 'Invoice 0012: £70.00' })),
    [SEND]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
    ...answers,
  });
  return { ...renderApp('/invoices/12'), server };
}

const sheet = async () => within(await screen.findByRole('dialog', { name: 'Send invoice' }));

test('[PROD-09] an issued invoice is sent with words the tutor has read', async () => {
  const { user, server } = openInvoice();
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  const dialog = await sheet();
  expect(await dialog.findByDisplayValue('Invoice 0012: £70.00')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Send invoice' }));
  expect(await screen.findByText('E-mail on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toMatchObject({ channel: 'email', text: preview().text });
});

test('when it was last sent stands beside it; other invoices of the family do not count', async () => {
  const about = (invoiceId: number, sentAt: string) =>
    message({ kind: 'invoice', channel: 'email', state: 'sent', sentAt, invoiceId });
  openInvoice({
    'GET /api/messages': () =>
      json(200, [about(11, '2026-11-15T11:00:00Z'), about(12, '2026-11-14T10:00:00Z')]),
  });
  expect(await screen.findByRole('button', { name: 'Send again' })).toBeTruthy();
  expect(screen.getByText(/yesterday 10:00, E-mail to Ruth Hale/)).toBeTruthy();
});

test('issuing can go on with sending, and not now keeps it unsent', async () => {
  const { user, server } = openInvoice({
    'GET /api/invoices/12': () => json(200, draft()),
    'POST /api/invoices/issue': () => json(200, [invoice()]),
  });
  await user.click(await screen.findByRole('button', { name: 'Issue' }));
  const question = within(await screen.findByRole('dialog', { name: 'Issue this invoice?' }));
  server.answers['GET /api/invoices/12'] = () => json(200, invoice());
  await user.click(question.getByRole('button', { name: /^Issue and send, / }));
  const dialog = await sheet();
  await user.click(dialog.getByRole('button', { name: 'Not now' }));
  expect(server.count(SEND)).toBe(0);
});

test('[PROD-09] all are sent one by one, and each row says what became of it', async () => {
  const words = 'Sami Aziz has no e-mail address yet. Please add one.';
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices/12': () => json(200, invoice()),
    'GET /api/invoices/13': () => json(200, invoice({ id: 13, familyName: 'Sami Aziz' })),
    [SEND]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
    'POST /api/invoices/13/send': () => json(409, { code: 'conflict', message: words }),
  });
  const { user } = renderApp('/invoices/everyone?issued=12-13');
  await user.click(await screen.findByRole('button', { name: 'Send all by e-mail' }));
  // In the row alone, and not as a toast as well.
  expect(await screen.findAllByText(words)).toHaveLength(1);
  expect(screen.getByText('E-mail on its way')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Send all by e-mail' }));
  await screen.findByText(words);
  expect(server.count(SEND)).toBe(1);
});
