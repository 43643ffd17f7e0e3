import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import {
  createDeferredReply,
  json,
  mockApi,
  neverReplies,
  unauthenticated,
} from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const grace = {
  credential: 'a-credential',
  name: 'Grace Quill',
  email: 'grace.quill@gmail.com',
  providerId: '1234567890',
  photoURL: 'https://photos.example/grace',
};

/** A visitor who, by default, has authenticated with Google as Grace. */
function mockVisitor(handlers: Parameters<typeof mockApi>[0] = {}) {
  return mockApi({
    'GET /api/me': unauthenticated,
    'GET /api/sign-in-options': () => json(200, { demo: null, google: true }),
    'GET /api/social-auth/pending': () => json(200, { user: grace }),
    ...handlers,
  });
}

const mockAssign = () => vi.spyOn(window.location, 'assign').mockImplementation(() => {});
const mockReplace = () => vi.spyOn(window.location, 'replace').mockImplementation(() => {});

describe('the button', () => {
  test.each([
    ['/login', 'Sign in with Google', 'login'],
    ['/signup', 'Sign up with Google', 'signup'],
  ])('on %s redirects to Google and stays busy until the page unloads', async (url, name, from) => {
    mockVisitor();
    const assign = mockAssign();
    const { user } = renderApp(url);
    await user.click(await screen.findByRole('button', { name }));
    expect(assign).toHaveBeenCalledWith(`/api/google/sign-in?from=${from}`);
    const busy = from === 'login' ? 'Signing in...' : 'Signing up...';
    expect(screen.getByRole<HTMLButtonElement>('button', { name: busy }).disabled).toBe(true);
    // Going back restores the page from the browser's cache, and the button works again.
    act(() => void window.dispatchEvent(new Event('pageshow')));
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false);
  });

  test.each(['/login', '/signup'])(
    'is not shown on %s if the server does not offer Google',
    async (url) => {
      const server = mockVisitor({
        'GET /api/sign-in-options': () => json(200, { demo: null, google: false }),
      });
      renderApp(url);
      await waitFor(() => expect(server.count('GET /api/sign-in-options')).toBe(1));
      await screen.findByLabelText('Username');
      expect(screen.queryByText(/google|or with/i)).toBeNull();
    },
  );
});

describe('on returning to the login page', () => {
  const openLogin = () => renderApp('/login?google=done');

  test('[API-11, API-13] sends the Google profile, the credential and authProvider firebase once', async () => {
    const server = mockVisitor({ 'POST /api/social-auth': neverReplies });
    const app = openLogin();
    await waitFor(() => expect(server.count('POST /api/social-auth')).toBe(1));
    expect(server.last('POST /api/social-auth')?.body).toEqual({
      name: 'Grace Quill',
      email: 'grace.quill@gmail.com',
      username: 'grace.quill',
      providerId: '1234567890',
      photoURL: 'https://photos.example/grace',
      authProvider: 'firebase',
      credential: 'a-credential',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeTruthy();
    // The parameter is removed from the URL, so a reload starts over.
    await waitFor(() => expect(app.search()).toEqual({}));
    expect(server.count('POST /api/social-auth')).toBe(1);
  });

  test('[AUTH-26, CONST-08] success shows a toast and reloads the home page after one second', async () => {
    const login = createDeferredReply();
    const replace = mockReplace();
    const server = mockVisitor({ 'POST /api/social-auth': login.handler });
    openLogin();
    await waitFor(() => expect(server.count('POST /api/social-auth')).toBe(1));
    vi.useFakeTimers();
    login.reply(json(200, ada));
    await act(() => vi.advanceTimersByTimeAsync(50));
    expect(screen.queryByText('Login successful')).not.toBeNull();
    expect(screen.queryByText('Welcome back, Ada Fenwick!')).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(replace).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(replace).toHaveBeenCalledExactlyOnceWith('/');
  });

  test("[ERR-13, ERR-14] an error shows Login failed with the server's message", async () => {
    mockVisitor({ 'POST /api/social-auth': () => json(410, { message: 'It has run out.' }) });
    openLogin();
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText('It has run out.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeTruthy();
  });

  test('[ERR-15] an error without a message shows Backend authentication failed', async () => {
    mockVisitor({ 'POST /api/social-auth': () => json(500, {}) });
    openLogin();
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText('Backend authentication failed')).toBeTruthy();
  });

  test.each([
    ['a network error', {}],
    ['a failed request for the profile', { 'GET /api/social-auth/pending': () => json(500, {}) }],
  ])('[ERR-13, ERR-14] %s shows An error occurred during Google login', async (_, handlers) => {
    mockVisitor(handlers);
    openLogin();
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText('An error occurred during Google login')).toBeTruthy();
  });

  test('[AUTH-40] a missing profile shows No user returned from Google and sends nothing', async () => {
    const server = mockVisitor({ 'GET /api/social-auth/pending': () => json(200, { user: null }) });
    openLogin();
    expect(await screen.findByText('No user returned from Google')).toBeTruthy();
    expect(server.count('POST /api/social-auth')).toBe(0);
  });

  test.each([
    ['cancelled', 'You left Google without choosing an account.'],
    ['busy', 'Too many attempts. Please wait a few minutes and try again.'],
    ['failed', 'An error occurred during Google login'],
    ['invented', 'An error occurred during Google login'],
  ])('[ERR-13] the result %s shows why the login failed', async (result, message) => {
    const server = mockVisitor();
    renderApp(`/login?google=${result}`);
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
    expect(server.count('GET /api/social-auth/pending')).toBe(0);
  });
});

describe('on returning to the signup page', () => {
  const openSignup = () => renderApp('/signup?google=done');

  test('[API-14, AUTH-31, AUTH-32] sends authProvider google, shows Account connected and opens the home page', async () => {
    const server = mockVisitor({ 'POST /api/social-auth': () => json(200, ada) });
    const replace = mockReplace();
    const app = openSignup();
    expect(await screen.findByText('Account connected')).toBeTruthy();
    expect(server.last('POST /api/social-auth')?.body).toMatchObject({
      authProvider: 'google',
      credential: 'a-credential',
    });
    expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
    expect(app.pathname()).toBe('/');
    expect(replace).not.toHaveBeenCalled();
  });

  test("[ERR-17] an error shows the server's message", async () => {
    mockVisitor({
      'POST /api/social-auth': () => json(409, { message: 'That email is already in use' }),
    });
    openSignup();
    expect(await screen.findByText('Error')).toBeTruthy();
    expect(screen.getByText('That email is already in use')).toBeTruthy();
  });

  test.each([
    ['an error without a message', { 'POST /api/social-auth': () => json(500, {}) }],
    ['a network error', {}],
  ])('[ERR-17] %s shows An error occurred during Google signup', async (_, handlers) => {
    mockVisitor(handlers);
    openSignup();
    expect(await screen.findByText('Error')).toBeTruthy();
    expect(screen.getByText('An error occurred during Google signup')).toBeTruthy();
  });
});

describe('when an account already exists', () => {
  const passwordRequired = () =>
    json(409, { code: 'password_needed', message: 'Enter its password.' });

  async function openLinkForm(handlers: Parameters<typeof mockApi>[0] = {}, path = '/login') {
    const server = mockVisitor({ 'POST /api/social-auth': passwordRequired, ...handlers });
    const app = renderApp(`${path}?google=done`);
    const field = await screen.findByLabelText('Password');
    await screen.findByRole('region', { name: 'Connect Google' });
    return { server, field, ...app };
  }

  async function connect({ user }: Awaited<ReturnType<typeof openLinkForm>>) {
    await user.type(screen.getByLabelText('Password'), 'secret123');
    await user.click(screen.getByRole('button', { name: 'Connect Google' }));
  }

  test('its password is requested without showing an error', async () => {
    await openLinkForm();
    expect(screen.getByText('grace.quill@gmail.com')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    expect(screen.queryByText('Login failed')).toBeNull();
    expect(screen.queryByLabelText('Username')).toBeNull();
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toBeTruthy();
  });

  test('the credential and the password link the account, and the page shows its usual toast', async () => {
    mockReplace();
    const app = await openLinkForm({ 'POST /api/social-auth/link': () => json(200, ada) });
    await connect(app);
    expect(await screen.findByText('Login successful')).toBeTruthy();
    expect(app.server.last('POST /api/social-auth/link')?.body).toEqual({
      credential: 'a-credential',
      password: 'secret123',
    });
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Connecting...' });
    expect(button.disabled).toBe(true);
  });

  test('linking from the signup page shows Account connected', async () => {
    const app = await openLinkForm(
      { 'POST /api/social-auth/link': () => json(200, ada) },
      '/signup',
    );
    await connect(app);
    expect(await screen.findByText('Account connected')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
  });

  test('an empty password shows an error next to the field', async () => {
    const { user, server } = await openLinkForm();
    await user.click(screen.getByRole('button', { name: 'Connect Google' }));
    expect(screen.getByText('Password is required')).toBeTruthy();
    expect(server.count('POST /api/social-auth/link')).toBe(0);
  });

  test('a wrong password can be corrected', async () => {
    const message = "That isn't the password for this account";
    const error = { code: 'unauthenticated', message, fields: { password: message } };
    const app = await openLinkForm({ 'POST /api/social-auth/link': () => json(401, error) });
    await connect(app);
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getAllByText(message)).toHaveLength(2);
    expect(screen.getByRole('region', { name: 'Connect Google' })).toBeTruthy();
  });

  test('an expired credential returns to the sign-in buttons', async () => {
    const error = { code: 'link_expired', message: 'Your sign-in with Google has expired.' };
    const app = await openLinkForm({ 'POST /api/social-auth/link': () => json(410, error) });
    await connect(app);
    expect(await screen.findByText('Your sign-in with Google has expired.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeTruthy();
  });

  test('Back returns to the page’s own form', async () => {
    const { user } = await openLinkForm();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Username')).toBeTruthy();
  });
});
