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

async function signUp(values: Partial<typeof valid>, signup: Parameters<typeof mockApi>[0] = {}) {
  const server = mockApi({
    'GET /api/me': unauthenticated,
    'POST /api/signup': neverReplies,
    ...signup,
  });
  const app = renderApp('/signup');
  await screen.findByRole('heading', { name: 'Open your book' });
  for (const [label, value] of Object.entries({ ...valid, ...values })) {
    if (value) await app.user.type(screen.getByLabelText(label), value);
  }
  await app.user.click(screen.getByRole('button', { name: 'Create account' }));
  return { ...app, server };
}

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
])('%s %s of "%s" is refused', async (_id, label, value, message) => {
  const { server } = await signUp({ [label]: value });
  expect(screen.getByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
  expect(server.count('POST /api/signup')).toBe(0);
});

test('[AUTH-35] [AUTH-37] [AUTH-39] the shortest values allowed are accepted', async () => {
  const { server } = await signUp({ 'Full Name': 'Al', Username: 'al_', Password: '12345678' });
  expect(server.last('POST /api/signup')?.body).toMatchObject({
    name: 'Al',
    username: 'al_',
    password: '12345678',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
});

test('success shows Account created alone, logs in with the entered credentials and goes home', async () => {
  const { server, address } = await signUp(
    {},
    { 'POST /api/signup': () => json(201, ada), 'POST /api/login': () => json(200, ada) },
  );
  expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
  expect(screen.getByText('Account created')).toBeTruthy();
  expect(screen.queryByText('Login successful')).toBeNull();
  expect(address()).toBe('/');
  expect(server.last('POST /api/login')?.body).toEqual({
    username: 'ada.fen',
    password: 'secret123',
  });
});

test('an account whose automatic login fails is still created: on to the login page', async () => {
  const { address } = await signUp({}, { 'POST /api/signup': () => json(201, ada) });
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(screen.getByText('Account created')).toBeTruthy();
  expect(address()).toBe('/login');
});

test('[ERR-16] a refusal shows its message, and at the field it names', async () => {
  const taken = 'That username is taken';
  const refusal = { code: 'conflict', message: taken, fields: { username: taken } };
  await signUp({}, { 'POST /api/signup': () => json(409, refusal) });
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(screen.getAllByText(taken)).toHaveLength(2);
  expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true');
});

test('[ERR-16] without a message it shows An error occurred during signup', async () => {
  await signUp({}, { 'POST /api/signup': () => json(500, {}) });
  expect(await screen.findByText('Error')).toBeTruthy();
  expect(screen.getByText('An error occurred during signup')).toBeTruthy();
});
