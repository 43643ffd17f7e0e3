import type { SavedBusinessSettings } from '@lessonbook/contract/business-settings';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada, passwordOnlySecurity } from '../test/user-fixtures.ts';

const GET = 'GET /api/settings/business';
const PUT = 'PUT /api/settings/business';

const business: SavedBusinessSettings = {
  tradingName: null,
  address: null,
  email: null,
  phone: null,
  extra: null,
  accountName: 'A Fenwick',
  sortCode: null,
  accountNumber: null,
  iban: null,
  bic: null,
  dueDays: 7,
  invoiceNote: null,
  invoicePrefix: 'INV-',
  nextInvoiceNumber: 12,
  bankDetailsChangedAt: null,
};

async function openBusiness(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    [GET]: () => json(200, business),
    [PUT]: ({ body }) => json(200, { ...business, ...(body as object) }),
    ...handlers,
  });
  const app = renderApp('/settings/business');
  await screen.findByRole('heading', { name: 'Business' });
  return { ...app, server };
}

test('a changed field is saved along with the other values', async () => {
  const { user, server } = await openBusiness();
  await user.type(await screen.findByLabelText('Trading name'), 'Fenwick Tuition');
  const days = screen.getByLabelText('Days until due');
  await user.clear(days);
  await user.type(days, '14');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Business details saved')).toBeTruthy();
  expect(server.last(PUT)?.body).toMatchObject({
    tradingName: 'Fenwick Tuition',
    accountName: 'A Fenwick',
    dueDays: 14,
    invoicePrefix: 'INV-',
    nextInvoiceNumber: 12,
  });
});

test('invalid numbers show errors next to their fields', async () => {
  const { user, server } = await openBusiness();
  const days = await screen.findByLabelText('Days until due');
  await user.clear(days);
  const next = screen.getByLabelText('Next number');
  await user.clear(next);
  await user.type(next, '0');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Please enter a number of days')).toBeTruthy();
  expect(screen.getByText('Please enter 1 or more')).toBeTruthy();
  expect(document.activeElement).toBe(days);
  expect(server.count(PUT)).toBe(0);
});

test('the server rejects a number that has already been used, with an error next to its field', async () => {
  const message = 'Number 12 has already been used';
  const { user } = await openBusiness({
    [PUT]: () => json(400, { code: 'invalid', message, fields: { nextInvoiceNumber: message } }),
  });
  const next = await screen.findByLabelText('Next number');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await vi.waitFor(() => expect(next.getAttribute('aria-invalid')).toBe('true'));
  expect(document.activeElement).toBe(next);
});

test('a retry is offered when the details fail to load', async () => {
  const { user, server } = await openBusiness({ [GET]: () => json(500, {}) });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  server.handlers[GET] = () => json(200, business);
  await user.click(retry);
  expect(await screen.findByLabelText('Trading name')).toBeTruthy();
});

test('F30 new bank details ask the tutor to reauthenticate, keep what was typed, and are announced for a day', async () => {
  const { user, server } = await openBusiness({
    [PUT]: () => json(403, { code: 'confirmation_needed', message: 'Please confirm.' }),
    'GET /api/security': () => json(200, passwordOnlySecurity),
    'POST /api/reauthenticate': () => json(200, { message: 'Thank you.' }),
  });
  await user.type(await screen.findByLabelText('Account number'), '12345678');
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  const modal = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  await user.type(await modal.findByLabelText('Password'), 'secret123');
  server.handlers[PUT] = ({ body }) =>
    server.saved(GET, {
      ...business,
      ...(body as object),
      bankDetailsChangedAt: '2026-11-15T08:30:00Z',
    });
  await user.click(modal.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText(/^Bank details changed on 15 Nov 2026 at 08:30\./)).toBeTruthy();
  expect(server.count(PUT)).toBe(2);
  expect(server.last(PUT)?.body).toMatchObject({ accountNumber: '12345678' });
});

test('F60 once the login has ended, the tutor logs in on the same page, keeps what was typed and sees current data', async () => {
  const { user, server, queryClient } = await openBusiness({
    'POST /api/login': () => server.saved('GET /api/me', ada),
  });
  const tradingName = await screen.findByLabelText<HTMLInputElement>('Trading name');
  await user.type(tradingName, 'Fenwick Tuition');
  server.handlers['GET /api/me'] = unauthenticated;
  void queryClient.invalidateQueries({ queryKey: ['/api/me'] });
  const dialog = within(await screen.findByRole('dialog', { name: 'Log in again' }));
  await user.type(dialog.getByLabelText('Username'), 'ada');
  await user.type(dialog.getByLabelText('Password'), 'secret123');
  const requests = server.count(GET);
  await user.click(dialog.getByRole('button', { name: 'Log in' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await vi.waitFor(() => expect(server.count(GET)).toBeGreaterThan(requests));
  expect(tradingName.isConnected).toBe(true);
  expect(tradingName.value).toBe('Fenwick Tuition');
});
