import type { Export } from '@lessonbook/contract/export';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const LATEST = 'GET /api/exports/latest';
const REQUEST = 'POST /api/exports';
const DELETION = 'GET /api/account-deletion';
const SCHEDULE_DELETION = 'POST /api/account-deletion';
const CANCEL_DELETION = 'DELETE /api/account-deletion';

const createExport = (overrides: Partial<Export> = {}): Export => ({
  id: 7,
  state: 'waiting',
  requestedAt: '2026-11-15T09:00:00Z',
  done: 0,
  total: 40,
  bytes: 0,
  expiresAt: '2026-11-16T09:00:00Z',
  ...overrides,
});

const openYourData = (handlers: Parameters<typeof mockApi>[0] = {}) => ({
  server: mockApi({
    'GET /api/me': () => json(200, ada),
    [LATEST]: () => json(200, { export: null }),
    [DELETION]: () => json(200, { deletesAt: null, proof: 'password' }),
    ...handlers,
  }),
  ...renderApp('/settings/your-data'),
});

test('an export is requested, shows its progress and can be downloaded for a day', async () => {
  const { user, server } = openYourData({ [REQUEST]: () => json(202, createExport()) });
  const requestButton = await screen.findByRole('button', { name: 'Export everything' });
  server.handlers[LATEST] = () =>
    json(200, { export: createExport({ state: 'making', done: 10 }) });
  await user.click(requestButton);
  expect(await screen.findByText(/Collecting everything: 0 %/)).toBeTruthy();
  expect(await screen.findByText(/Collecting everything: 25 %/)).toBeTruthy();
  server.handlers[LATEST] = () =>
    json(200, { export: createExport({ state: 'ready', done: 40, bytes: 2_400_000 }) });
  const link = await screen.findByRole('link', { name: 'Download (2.4 MB)' });
  expect(link.getAttribute('href')).toBe('/api/exports/7.zip');
  expect(link.hasAttribute('download')).toBe(true);
  expect(screen.getByText('Until tomorrow 09:00.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Make a new one' })).toBeTruthy();
});

test('a failed export shows an error and can be requested again', async () => {
  const { user, server } = openYourData({
    [LATEST]: () => json(200, { export: createExport({ state: 'failed' }) }),
    [REQUEST]: () => json(202, createExport({ id: 8 })),
  });
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The file could not be made. Please try again.',
  );
  await user.click(screen.getByRole('button', { name: 'Export everything' }));
  expect(await screen.findByText(/Collecting everything/)).toBeTruthy();
  expect(server.count(REQUEST)).toBe(1);
});

const scheduled = { deletesAt: '2026-11-29T09:00:00Z', proof: 'password' };

test('deleting the account asks for the password, then a banner shows the date and a cancel button', async () => {
  const { user, server } = openYourData({
    [SCHEDULE_DELETION]: ({ body }) =>
      (body as { proof: string }).proof === 'right'
        ? json(200, scheduled)
        : json(400, {
            code: 'invalid',
            message: 'Wrong password',
            fields: { proof: 'Wrong password' },
          }),
    [CANCEL_DELETION]: () => json(200, { ...scheduled, deletesAt: null }),
  });
  const button = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Delete my account',
  });
  await vi.waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
  const password = dialog.getByLabelText('Your password');
  await user.click(dialog.getByRole('button', { name: 'Delete account' }));
  expect(await dialog.findByText('Please fill this in')).toBeTruthy();
  await user.type(password, 'wrong');
  await user.click(dialog.getByRole('button', { name: 'Delete account' }));
  expect(await dialog.findByText('Wrong password')).toBeTruthy();
  server.handlers['GET /api/me'] = () => json(200, { ...ada, deletesAt: scheduled.deletesAt });
  await user.clear(password);
  await user.type(password, 'right');
  await user.click(dialog.getByRole('button', { name: 'Delete account' }));
  const banner = within(await screen.findByRole('region', { name: 'Account deletion' }));
  expect(banner.getByText(/29 Nov/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull();
  server.handlers['GET /api/me'] = () => json(200, ada);
  await user.click(banner.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByText('Your account is kept')).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Account deletion' })).toBeNull(),
  );
});

test('an account without a password asks for the username', async () => {
  const { user } = openYourData({
    [DELETION]: () => json(200, { deletesAt: null, proof: 'username' }),
  });
  const button = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Delete my account',
  });
  await vi.waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
  expect(await screen.findByLabelText('Type your username')).toBeTruthy();
});
