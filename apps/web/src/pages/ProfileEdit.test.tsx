import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, neverReplies } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada, passwordOnlySecurity } from '../test/user-fixtures.ts';

async function openProfile(handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': () => json(200, ada),
    'GET /api/notifications/unread': () => json(200, { unread: 0 }),
    'GET /api/navigation-counts': () =>
      json(200, { overdueInvoices: 0, draftInvoices: 0, messagesToSend: 0 }),
    ...handlers,
  });
  const app = renderApp('/profile-edit');
  await screen.findByRole('heading', { name: 'Edit Profile' });

  async function change(label: 'Name' | 'Email', value: string) {
    await app.user.clear(screen.getByLabelText(label));
    await app.user.type(screen.getByLabelText(label), value);
    await app.user.click(screen.getByRole('button', { name: 'Save Changes' }));
  }
  return { ...app, server, change };
}

test('[PROF-05] a name under 2 characters is rejected', async () => {
  const { change, server } = await openProfile();
  await change('Name', 'A');
  expect(screen.getByText('Name must be at least 2 characters')).toBeTruthy();
  expect(server.count('PUT /api/me')).toBe(0);
});

test('[PROF-05] a name of 2 characters is accepted', async () => {
  const { change, server } = await openProfile({ 'PUT /api/me': neverReplies });
  await change('Name', 'Al');
  expect(server.last('PUT /api/me')?.body).toEqual({
    name: 'Al',
    email: ada.email,
    timeZone: ada.timeZone,
  });
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeTruthy();
});

test('[PROF-06] an invalid email address is rejected', async () => {
  const { change, server } = await openProfile();
  await change('Email', 'ada@');
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
  expect(server.count('PUT /api/me')).toBe(0);
});

test('[API-44] after saving, the current user is refreshed', async () => {
  const { change, server } = await openProfile({
    'PUT /api/me': ({ body }) => json(200, { ...ada, ...(body as object) }),
  });
  const before = server.count('GET /api/me');
  server.handlers['GET /api/me'] = () => json(200, { ...ada, name: 'Ada King', revision: 2 });
  await change('Name', 'Ada King');
  expect(await screen.findByText('Profile Updated')).toBeTruthy();
  expect(server.count('GET /api/me')).toBe(before + 1);
  // The card in the sidebar shows the refreshed name.
  expect(screen.getByText('Ada King')).toBeTruthy();
});

test('[ERR-34] a failed save without a message shows the fallback', async () => {
  const { change } = await openProfile({ 'PUT /api/me': () => json(500, {}) });
  await change('Name', 'Ada King');
  expect(await screen.findByText('Failed to update profile. Please try again.')).toBeTruthy();
  expect(screen.getByText('Error')).toBeTruthy();
});

test('a changed email address is shown as awaiting confirmation', async () => {
  const pendingEmail = 'new@example.com';
  await openProfile({ 'GET /api/me': () => json(200, { ...ada, pendingEmail }) });
  expect(screen.getByText(/new@example.com is waiting for confirmation/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(ada.email);
});

test('changing the email address asks for the password if the last confirmation is too old, and then saves', async () => {
  const { change, server, user } = await openProfile({
    'PUT /api/me': () => json(403, { code: 'confirmation_needed', message: 'Please confirm.' }),
    'GET /api/security': () => json(200, passwordOnlySecurity),
    'POST /api/reauthenticate': () => json(200, { message: 'Thank you.' }),
  });
  await change('Email', 'new@example.com');
  const modal = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
  expect(screen.queryByText('Please confirm.')).toBeNull();
  await user.type(await modal.findByLabelText('Password'), 'secret123');
  server.handlers['PUT /api/me'] = ({ body }) => json(200, { ...ada, ...(body as object) });
  await user.click(modal.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Profile Updated')).toBeTruthy();
  expect(server.last('POST /api/reauthenticate')?.body).toEqual({ password: 'secret123' });
  expect(server.count('PUT /api/me')).toBe(2);
});
