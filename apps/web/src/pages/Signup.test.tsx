import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi, neverReplies, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const valid = {
  'Full Name': 'Ada Fenwick',
  Email: 'ada@example.com',
  Username: 'ada.fen',
  Password: 'secret123',
};

async function signUp(values: Partial<typeof valid>, handlers: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/signup': neverReplies,
    ...handlers,
  });
  const app = renderApp('/signup');
  await screen.findByRole('heading', { name: 'Create your account' });
  for (const [label, value] of Object.entries({ ...valid, ...values })) {
    if (value) await app.user.type(screen.getByLabelText(label), value);
  }
  await app.user.click(screen.getByRole('button', { name: 'Create account' }));
  return { ...app, server };
}

test('F120 the new password can be shown', async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  const { user } = renderApp('/signup');
  const password = await screen.findByLabelText('Password');
  expect(password.getAttribute('type')).toBe('password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password.getAttribute('type')).toBe('text');
});

test('[AUTH-15] the button reads Creating account... while busy', async () => {
  await signUp({});
  const busy = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'Creating account...',
  });
  expect(busy.disabled).toBe(true);
});

test.each([
  ['[AUTH-35]', 'Full Name', 'A', 'Name must be at least 2 characters'],
  ['[AUTH-36]', 'Email', 'ada@example', 'Please enter a valid email'],
  ['[AUTH-37]', 'Username', 'ad', 'Username must be at least 3 characters'],
  [
    '[AUTH-38]',
    'Username',
    'ada fen',
    'Username can only contain letters, numbers, dots, underscores, and hyphens',
  ],
  ['[AUTH-39]', 'Password', '1234567', 'Password must be at least 8 characters'],
])('%s %s of "%s" is rejected', async (_id, label, value, message) => {
  const { server } = await signUp({ [label]: value });
  expect(screen.getByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(server.count('POST /api/signup')).toBe(0);
});

test('[AUTH-35] [AUTH-37] [AUTH-39] the shortest allowed values are accepted', async () => {
  const { server } = await signUp({ 'Full Name': 'Al', Username: 'al_', Password: '12345678' });
  expect(server.last('POST /api/signup')?.body).toMatchObject({
    name: 'Al',
    username: 'al_',
    password: '12345678',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
});

test('signing up shows only Account created, logs in with the entered credentials and opens the home page', async () => {
  const { server, pathname } = await signUp(
    {},
    { 'POST /api/signup': () => json(201, ada), 'POST /api/login': () => json(200, ada) },
  );
  expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
  expect(screen.getByText('Account created')).toBeTruthy();
  expect(screen.queryByText('Login successful')).toBeNull();
  expect(pathname()).toBe('/');
  expect(server.last('POST /api/login')?.body).toEqual({
    username: 'ada.fen',
    password: 'secret123',
  });
});

test('if the automatic login fails, the account still exists and the login page opens', async () => {
  const { pathname } = await signUp({}, { 'POST /api/signup': () => json(201, ada) });
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(screen.getByText('Account created')).toBeTruthy();
  expect(pathname()).toBe('/login');
});

test('[ERR-16] an error shows its message, including next to its field', async () => {
  const message = 'That username is taken';
  const error = { code: 'conflict', message, fields: { username: message } };
  await signUp({}, { 'POST /api/signup': () => json(409, error) });
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(screen.getAllByText(message)).toHaveLength(2);
  expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true');
});

test('[ERR-16] without a message it shows An error occurred during signup', async () => {
  await signUp({}, { 'POST /api/signup': () => json(500, {}) });
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(screen.getByText('An error occurred during signup')).toBeTruthy();
});
