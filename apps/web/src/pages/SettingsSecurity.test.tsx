import type { SecurityOverview } from '@lessonbook/contract/security';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { json, mockApi } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada, logins, passwordOnlySecurity } from '../test/user-fixtures.ts';

const codes = Array.from({ length: 10 }, (_, n) => `aaaa-bbbb-cccc-ddd${n + 2}`.slice(0, 19));

async function openSecurity(
  state: Partial<SecurityOverview> = {},
  handlers: Parameters<typeof mockApi>[0] = {},
) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/security': () => json(200, { ...passwordOnlySecurity, ...state }),
    'GET /api/logins': () => json(200, logins),
    ...handlers,
  });
  const app = renderApp('/settings/security');
  await screen.findByRole('heading', { name: "Where you're logged in" });
  return { ...app, server };
}

test('logins are listed with their device and times; the current one cannot be ended here', async () => {
  const { user, server } = await openSecurity(
    {},
    { 'DELETE /api/logins/there': () => json(200, {}) },
  );
  expect(await screen.findByText('This browser, since 08:00')).toBeTruthy();
  expect(screen.getByText('Since Tue 10 Nov 08:00, last seen yesterday 18:30')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Log out, / })).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: /^Log out, Safari on iPhone/ }));
  expect(await screen.findByText('Logged out of that browser')).toBeTruthy();
  expect(server.count('GET /api/logins')).toBe(2);
});

test('a short password is rejected, the server may ask for confirmation, then the password is changed', async () => {
  const { user, server } = await openSecurity(
    {},
    {
      'PUT /api/password': () => json(403, { code: 'confirmation_needed', message: 'Please.' }),
      'POST /api/reauthenticate': () => json(200, {}),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Change password' }));
  expect(modal.getByText("You'll be logged out of every other browser.")).toBeTruthy();
  await user.type(modal.getByLabelText('New password'), 'short');
  await user.click(modal.getByRole('button', { name: 'Change password' }));
  expect(modal.getByText('Password must be at least 8 characters')).toBeTruthy();
  await user.type(modal.getByLabelText('New password'), ' but now longer');
  await user.click(modal.getByRole('button', { name: 'Change password' }));
  const reauthModal = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  await user.type(reauthModal.getByLabelText('Password'), 'secret123');
  server.handlers['PUT /api/password'] = () => json(200, {});
  await user.click(reauthModal.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Password changed')).toBeTruthy();
  expect(server.last('PUT /api/password')?.body).toEqual({ password: 'short but now longer' });
});

test('turning on the authenticator app shows a QR code and a key, asks for a code and shows ten recovery codes', async () => {
  const { user, server } = await openSecurity(
    {},
    {
      'POST /api/authenticator': () =>
        json(200, { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Lessonbook:ada?secret=ABC' }),
      'POST /api/authenticator/confirm': () => json(200, { recoveryCodes: codes }),
    },
  );
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Turn on the authenticator app' }),
  );
  expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeTruthy();
  expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
  await user.type(dialog.getByLabelText('Code from your authenticator app'), '123456');
  await user.click(dialog.getByRole('button', { name: 'Turn on' }));
  const codesDialog = within(
    await screen.findByRole('dialog', { name: 'Save your recovery codes' }),
  );
  expect(codesDialog.getAllByRole('listitem')).toHaveLength(10);
  expect(server.last('POST /api/authenticator/confirm')?.body).toEqual({ code: '123456' });
  await user.click(codesDialog.getByRole('button', { name: "I've saved my codes" }));
  await vi.waitFor(() => expect(screen.queryByText('Save your recovery codes')).toBeNull());
});

test('with a second factor the remaining recovery codes are shown; turning it off asks for confirmation', async () => {
  const { user, server } = await openSecurity(
    { authenticatorOn: true, recoveryCodesLeft: 1 },
    { 'DELETE /api/authenticator': () => json(200, {}) },
  );
  expect(screen.getByText(/^1 code left/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Turn off' }));
  const modal = within(
    await screen.findByRole('dialog', { name: 'Turn off the authenticator app?' }),
  );
  expect(server.count('DELETE /api/authenticator')).toBe(0);
  await user.click(modal.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('Authenticator app is off')).toBeTruthy();
});

test('unavailable features are hidden, and the demo account cannot be changed', async () => {
  await openSecurity({ isDemo: true, passkeysOffered: false, authenticatorOffered: false });
  expect(screen.getByText(/its login settings can't be changed/)).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Passkeys' })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Authenticator app' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Change|Log out/ })).toBeNull();
});

test('F35 a connected Google account is shown with its date and can be disconnected', async () => {
  const { user, server } = await openSecurity(
    { googleLinkedAt: '2026-10-03T09:00:00Z' },
    { 'DELETE /api/social-auth': () => json(200, {}) },
  );
  expect(screen.getByText(/Connected 3 Oct 2026/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Disconnect' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Disconnect Google sign-in?' }));
  await user.click(modal.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByText('Google sign-in disconnected')).toBeTruthy();
  expect(server.count('GET /api/security')).toBe(2);
});

test('F32 the confirmation for logging out all other browsers links to the access review', async () => {
  const { user } = await openSecurity();
  await user.click(await screen.findByRole('button', { name: 'Log out all other browsers' }));
  const modal = within(await screen.findByRole('dialog', { name: 'Log out everywhere else?' }));
  const link = modal.getByRole('link', { name: 'review access' });
  expect(link.getAttribute('href')).toBe('/settings/security/review');
});
