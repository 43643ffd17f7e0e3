import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  createDeferredReply,
  json,
  mockApi,
  neverReplies,
  unauthenticated,
} from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

function mockVisitor(handlers: Parameters<typeof mockApi>[0] = {}) {
  return mockApi({
    'GET /api/me': unauthenticated,
    'GET /api/sign-in-options': () => json(200, { demo: null, google: false }),
    ...handlers,
  });
}

async function openLogin() {
  const app = renderApp('/login');
  await screen.findByRole('heading', { name: 'Welcome back' });
  return app;
}

async function logIn({ user }: ReturnType<typeof renderApp>) {
  await user.type(screen.getByLabelText('Username'), 'ada');
  await user.type(screen.getByLabelText('Password'), 'secret123');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

test('[AUTH-33] [AUTH-34] empty fields show errors, and the first receives focus', async () => {
  const server = mockVisitor();
  const { user } = await openLogin();
  await user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(screen.getByText('Username is required')).toBeTruthy();
  expect(screen.getByText('Password is required')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  expect(server.count('POST /api/login')).toBe(0);
});

test('[AUTH-07] the button reads Logging in... while busy', async () => {
  mockVisitor({ 'POST /api/login': neverReplies });
  await logIn(await openLogin());
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Logging in...' });
  expect(button.disabled).toBe(true);
});

test('[AUTH-20] [AUTH-21] a successful login stores the user in the query cache and shows a welcome message', async () => {
  const server = mockVisitor({ 'POST /api/login': () => json(200, ada) });
  const app = await openLogin();
  await logIn(app);
  expect(await screen.findByText('Login successful')).toBeTruthy();
  expect(screen.getByText('Welcome back, Ada Fenwick!')).toBeTruthy();
  expect(server.last('POST /api/login')?.body).toEqual({ username: 'ada', password: 'secret123' });
  expect(app.queryClient.getQueryData(['/api/me'])).toEqual(ada);
  expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
  expect(app.pathname()).toBe('/');
});

test('[CONST-07] the redirect to home starts about 100 ms after login', async () => {
  const login = createDeferredReply();
  mockVisitor({ 'POST /api/login': login.handler });
  const app = await openLogin();
  await logIn(app);
  vi.useFakeTimers();
  login.reply(json(200, ada));
  await act(() => vi.advanceTimersByTimeAsync(50));
  expect(screen.queryByText('Login successful')).not.toBeNull();
  expect(app.pathname()).toBe('/login');
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(app.pathname()).toBe('/');
});

test("a failed login shows the server's message", async () => {
  mockVisitor({ 'POST /api/login': () => json(429, { message: 'Too many attempts.' }) });
  await logIn(await openLogin());
  expect(await screen.findByText('Login failed')).toBeTruthy();
  expect(screen.getByText('Too many attempts.')).toBeTruthy();
});

test('[ERR-09] a failed login without a message shows Invalid username or password', async () => {
  mockVisitor({ 'POST /api/login': () => json(401, {}, 'Unauthorized') });
  await logIn(await openLogin());
  expect(await screen.findByText('Login failed')).toBeTruthy();
  expect(screen.getByText('Invalid username or password')).toBeTruthy();
});

test('[ERR-10] if there is no response, the tutor is asked to check the credentials', async () => {
  mockVisitor();
  await logIn(await openLogin());
  expect(await screen.findByText('Login failed')).toBeTruthy();
  expect(screen.getByText('Please check your credentials and try again')).toBeTruthy();
});

test('one click opens the demo if the server offers it', async () => {
  const demo = { username: 'demo', password: 'demo1234' };
  const server = mockVisitor({
    'GET /api/sign-in-options': () => json(200, { demo, google: false }),
    'POST /api/login': neverReplies,
  });
  const { user } = await openLogin();
  await user.click(await screen.findByRole('button', { name: 'Try the demo' }));
  expect(server.last('POST /api/login')?.body).toEqual(demo);
  expect(await screen.findByRole('button', { name: 'Logging in...' })).toBeTruthy();
});

test('the demo is not mentioned if the server does not offer it', async () => {
  const server = mockVisitor();
  await openLogin();
  await vi.waitFor(() => expect(server.count('GET /api/sign-in-options')).toBe(1));
  expect(screen.queryByText(/demo/i)).toBeNull();
});

const mfaRequired = () => json(401, { code: 'second_factor_needed', message: 'Please confirm.' });

test('after the password, a code is requested without an error, and the correct code logs in', async () => {
  const server = mockVisitor({
    'POST /api/login': mfaRequired,
    'GET /api/login/mfa': () => json(200, { authenticator: true, passkey: false }),
    'POST /api/login/mfa': () =>
      json(400, { code: 'invalid', message: 'No', fields: { code: "That code isn't right" } }),
  });
  const app = await openLogin();
  await logIn(app);
  const code = await screen.findByLabelText('Code from your authenticator app');
  expect(document.activeElement).toBe(code);
  expect(screen.queryByText('Login failed')).toBeNull();
  await app.user.type(code, '123456');
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByText("That code isn't right")).toBeTruthy();
  server.handlers['POST /api/login/mfa'] = () => json(200, ada);
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByText('Welcome back, Ada Fenwick!')).toBeTruthy();
  expect(server.last('POST /api/login/mfa')?.body).toEqual({ code: '123456' });
});

test('a recovery code can be used instead of the app', async () => {
  const server = mockVisitor({
    'POST /api/login': mfaRequired,
    'GET /api/login/mfa': () => json(200, { authenticator: true, passkey: false }),
    'POST /api/login/mfa': neverReplies,
  });
  const app = await openLogin();
  await logIn(app);
  await app.user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
  await app.user.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-2345-6789');
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(server.last('POST /api/login/mfa')?.body).toEqual({ code: 'abcd-efgh-2345-6789' });
});

test('an expired second step returns to the login form with a message', async () => {
  mockVisitor({
    'POST /api/login': mfaRequired,
    'GET /api/login/mfa': () => json(200, { authenticator: true, passkey: false }),
    'POST /api/login/mfa': () =>
      json(410, { code: 'link_expired', message: 'That took too long.' }),
  });
  const app = await openLogin();
  await logIn(app);
  await app.user.type(await screen.findByLabelText('Code from your authenticator app'), '123456');
  await app.user.click(screen.getByRole('button', { name: 'Log in' }));
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(screen.getByText('That took too long.')).toBeTruthy();
});
