import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draftInvoice, invoice } from '../../test/invoice-fixtures.ts';
import { message, messagePreview } from '../../test/message-fixtures.ts';
import { json, mockApi } from '../../test/mock-api.ts';
import { renderApp } from '../../test/render-app.tsx';
import { ada } from '../../test/user-fixtures.ts';

const SEND = 'POST /api/invoices/12/send';

function openInvoice(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/invoices/12': () => json(200, invoice()),
    'GET /api/messages': () => json(200, []),
    'POST /api/invoices/12/send/preview': () =>
      json(200, messagePreview({ subject: 'Invoice 0012: £70.00' })),
    [SEND]: () => json(201, { messages: [message({ channel: 'email', state: 'waiting' })] }),
    ...handlers,
  });
  return { ...renderApp('/invoices/12'), server };
}

const modal = async () => within(await screen.findByRole('dialog', { name: 'Send invoice' }));

test('[PROD-09] sends an issued invoice with the text shown', async () => {
  const { user, server } = openInvoice();
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  const dialog = await modal();
  expect(await dialog.findByDisplayValue('Invoice 0012: £70.00')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Send invoice' }));
  expect(await screen.findByText('Email on its way')).toBeTruthy();
  expect(server.last(SEND)?.body).toMatchObject({ channel: 'email', text: messagePreview().text });
});

test("shows when this invoice was last sent, ignoring the family's other invoices", async () => {
  const sentMessage = (invoiceId: number, sentAt: string) =>
    message({ kind: 'invoice', channel: 'email', state: 'sent', sentAt, invoiceId });
  openInvoice({
    'GET /api/messages': () =>
      json(200, [sentMessage(11, '2026-11-15T11:00:00Z'), sentMessage(12, '2026-11-14T10:00:00Z')]),
  });
  expect(await screen.findByRole('button', { name: 'Send again' })).toBeTruthy();
  expect(screen.getByText(/yesterday 10:00, Email to Ruth Hale/)).toBeTruthy();
});

test("offers to send after issuing, and sends nothing when 'Not now' is clicked", async () => {
  const { user, server } = openInvoice({
    'GET /api/invoices/12': () => json(200, draftInvoice()),
    'POST /api/invoices/issue': () => json(200, [invoice()]),
  });
  await user.click(await screen.findByRole('button', { name: 'Issue' }));
  const issueDialog = within(await screen.findByRole('dialog', { name: 'Issue this invoice?' }));
  server.handlers['GET /api/invoices/12'] = () => json(200, invoice());
  await user.click(issueDialog.getByRole('button', { name: /^Issue and send \(/ }));
  const dialog = await modal();
  await user.click(dialog.getByRole('button', { name: 'Not now' }));
  expect(server.count(SEND)).toBe(0);
});
