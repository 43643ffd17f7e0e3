import type { Export } from '@lessonbook/contract/data-export';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada, passwordOnlySecurity } from '../test/user-fixtures.ts';

const CHECK = 'GET /api/reauthenticate';
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
    [CHECK]: () => json(200, { message: 'Thank you.' }),
    [DELETION]: () => json(200, { deletesAt: null }),
    ...handlers,
  }),
  ...renderApp('/settings/your-data'),
});

test('an export is requested, shows its progress and can be downloaded for a day', async () => {
  const { user, server } = openYourData({ [REQUEST]: () => json(202, createExport()) });
  const requestButton = await screen.findByRole('button', { name: 'Export everything' });
  server.handlers[LATEST] = () => json(200, { export: createExport() });
  await user.click(requestButton);
  expect(await screen.findByText(/Preparing your export: 0%/)).toBeTruthy();
  server.handlers[LATEST] = () =>
    json(200, { export: createExport({ state: 'making', done: 10 }) });
  expect(await screen.findByText(/Preparing your export: 25%/)).toBeTruthy();
  server.handlers[LATEST] = () =>
    json(200, { export: createExport({ state: 'ready', done: 40, bytes: 2_400_000 }) });
  const download = await screen.findByRole('button', { name: 'Download (2.4 MB)' });
  expect(screen.getByText('Until tomorrow 09:00.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Export again' })).toBeTruthy();

  // The browser downloads the file itself, so the server is asked first whether it will allow that.
  const start = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await user.click(download);
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
  const [link] = start.mock.contexts;
  expect((link as HTMLAnchorElement).pathname).toBe('/api/exports/7.zip');
});

test('F31 a download asks the tutor to reauthenticate, and does not start if the tutor declines', async () => {
  const { user, server } = openYourData({
    [LATEST]: () => json(200, { export: createExport({ state: 'ready', bytes: 2_400_000 }) }),
    [CHECK]: () => json(403, { code: 'confirmation_needed', message: 'Please confirm.' }),
    'GET /api/security': () => json(200, passwordOnlySecurity),
    'POST /api/reauthenticate': () => json(200, { message: 'Thank you.' }),
  });
  const start = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const download = await screen.findByRole('button', { name: 'Download (2.4 MB)' });
  await user.click(download);
  const first = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  await first.findByLabelText('Password');
  await user.click(first.getByRole('button', { name: 'Close' }));
  await vi.waitFor(() => expect(download.hasAttribute('disabled')).toBe(false));
  expect(start).not.toHaveBeenCalled();
  expect(screen.queryByText('Please confirm.')).toBeNull();

  await user.click(download);
  const second = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  await user.type(await second.findByLabelText('Password'), 'secret123');
  server.handlers[CHECK] = () => json(200, { message: 'Thank you.' });
  await user.click(second.getByRole('button', { name: 'Confirm' }));
  await vi.waitFor(() => expect(start).toHaveBeenCalledOnce());
});

test('a failed export shows an error and can be requested again', async () => {
  const { user, server } = openYourData({
    [LATEST]: () => json(200, { export: createExport({ state: 'failed' }) }),
    [REQUEST]: () => {
      server.handlers[LATEST] = () => json(200, { export: createExport({ id: 8 }) });
      return json(202, createExport({ id: 8 }));
    },
  });
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The export failed. Please try again.',
  );
  await user.click(screen.getByRole('button', { name: 'Export everything' }));
  expect(await screen.findByText(/Preparing your export/)).toBeTruthy();
  expect(server.count(REQUEST)).toBe(1);
});

const scheduled = { deletesAt: '2026-11-29T09:00:00Z' };

test('F31 deleting the account asks an account without a password to confirm with Google, then a banner shows the date', async () => {
  const { user, server } = openYourData({
    [SCHEDULE_DELETION]: () =>
      json(403, { code: 'confirmation_needed', message: 'Please confirm.' }),
    [CANCEL_DELETION]: () => json(200, { deletesAt: null }),
    'GET /api/security': () =>
      json(200, {
        ...passwordOnlySecurity,
        hasPassword: false,
        googleLinkedAt: '2026-10-03T09:00:00Z',
      }),
    'GET /api/social-auth/pending': () => json(200, { user: null }),
    'POST /api/reauthenticate/google': () => {
      server.handlers[SCHEDULE_DELETION] = () => json(200, scheduled);
      server.handlers[DELETION] = () => json(200, scheduled);
      server.handlers['GET /api/me'] = () => json(200, { ...ada, deletesAt: scheduled.deletesAt });
      return json(200, { message: 'Thank you.' });
    },
  });
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const button = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Delete my account',
  });
  await vi.waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete account' }));
  const reauth = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  expect(reauth.queryByLabelText('Password')).toBeNull();
  server.handlers['GET /api/social-auth/pending'] = () =>
    json(200, { user: { credential: 'from-google', name: 'Ada', email: null, providerId: '1' } });
  await user.click(await reauth.findByRole('button', { name: 'Continue with Google' }));
  expect(open.mock.calls[0]?.[0]).toBe('/api/google/sign-in?from=login');
  const banner = within(await screen.findByRole('region', { name: 'Account deletion' }));
  expect(server.last('POST /api/reauthenticate/google')?.body).toEqual({
    credential: 'from-google',
  });
  expect(server.count(SCHEDULE_DELETION)).toBe(2);
  expect(banner.getByText(/29 Nov/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull();
  server.handlers['GET /api/me'] = () => json(200, ada);
  await user.click(banner.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByText("Your account won't be deleted")).toBeTruthy();
  await vi.waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Account deletion' })).toBeNull(),
  );
});
