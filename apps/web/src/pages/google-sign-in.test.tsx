import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { deferredReply, json, mockApi, neverReplies, unauthenticated } from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';

const grace = {
  credential: 'a-ticket',
  name: 'Grace Quill',
  email: 'grace.quill@gmail.com',
  providerId: '1234567890',
  photoURL: 'https://photos.example/grace',
};

/** A browser that Google has vouched for Grace in, unless told otherwise. */
function visitor(answers: Parameters<typeof mockApi>[0] = {}) {
  return mockApi({
    'GET /api/me': unauthenticated,
    'GET /api/sign-in-options': () => json(200, { demo: null, google: true }),
    'GET /api/social-auth/pending': () => json(200, { user: grace }),
    ...answers,
  });
}

const leave = () => vi.spyOn(window.location, 'assign').mockImplementation(() => {});
const loadAnew = () => vi.spyOn(window.location, 'replace').mockImplementation(() => {});

describe('the button', () => {
  test.each([
    ['/login', 'Sign in with Google', 'login'],
    ['/signup', 'Sign up with Google', 'signup'],
  ])('of %s leads to Google and is busy until the page is left', async (address, name, from) => {
    visitor();
    const assign = leave();
    const { user } = renderApp(address);
    await user.click(await screen.findByRole('button', { name }));
    expect(assign).toHaveBeenCalledWith(`/api/google/sign-in?from=${from}`);
    const busy = from === 'login' ? 'Signing in...' : 'Signing up...';
    expect(screen.getByRole<HTMLButtonElement>('button', { name: busy }).disabled).toBe(true);
    // Back from Google by the browser's own button: it is of use again.
    act(() => void window.dispatchEvent(new Event('pageshow')));
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false);
  });

  test.each(['/login', '/signup'])(
    'is not on %s where the server has no Google',
    async (address) => {
      const server = visitor({
        'GET /api/sign-in-options': () => json(200, { demo: null, google: false }),
      });
      renderApp(address);
      await waitFor(() => expect(server.count('GET /api/sign-in-options')).toBe(1));
      await screen.findByLabelText('Username');
      expect(screen.queryByText(/google|or with/i)).toBeNull();
    },
  );
});

describe('back at the login', () => {
  const open = () => renderApp('/login?google=done');

  test('[API-11, API-13] sends what Google said, the ticket, and authProvider firebase, once', async () => {
    const server = visitor({ 'POST /api/social-auth': neverReplies });
    const app = open();
    await waitFor(() => expect(server.count('POST /api/social-auth')).toBe(1));
    expect(server.last('POST /api/social-auth')?.body).toEqual({
      name: 'Grace Quill',
      email: 'grace.quill@gmail.com',
      username: 'grace.quill',
      providerId: '1234567890',
      photoURL: 'https://photos.example/grace',
      authProvider: 'firebase',
      credential: 'a-ticket',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeTruthy();
    // The word is out of the address, so a reload begins afresh.
    await waitFor(() => expect(app.search()).toEqual({}));
    expect(server.count('POST /api/social-auth')).toBe(1);
  });

  test('[AUTH-26, CONST-08] success shows a toast and loads the home page anew after one second', async () => {
    const answer = deferredReply();
    const replace = loadAnew();
    const server = visitor({ 'POST /api/social-auth': answer.answer });
    open();
    await waitFor(() => expect(server.count('POST /api/social-auth')).toBe(1));
    vi.useFakeTimers();
    answer.reply(json(200, ada));
    await act(() => vi.advanceTimersByTimeAsync(50));
    expect(screen.queryByText('Login successful')).not.toBeNull();
    expect(screen.queryByText('Welcome back, Ada Fenwick!')).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(replace).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(replace).toHaveBeenCalledExactlyOnceWith('/');
  });

  test('[ERR-13, ERR-14] a failure shows Login failed with the message of the server', async () => {
    visitor({ 'POST /api/social-auth': () => json(410, { message: 'It has run out.' }) });
    open();
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText('It has run out.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeTruthy();
  });

  test('[ERR-15] a refusal without a message shows Backend authentication failed', async () => {
    visitor({ 'POST /api/social-auth': () => json(500, {}) });
    open();
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText('Backend authentication failed')).toBeTruthy();
  });

  test.each([
    ['no answer', {}],
    ['no answer about who it is', { 'GET /api/social-auth/pending': () => json(500, {}) }],
  ])('[ERR-13, ERR-14] %s shows An error occurred during Google login', async (_, answers) => {
    visitor(answers);
    open();
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText('An error occurred during Google login')).toBeTruthy();
  });

  test('[AUTH-40] nobody vouched for shows No user returned from Google, and sends nothing', async () => {
    const server = visitor({ 'GET /api/social-auth/pending': () => json(200, { user: null }) });
    open();
    expect(await screen.findByText('No user returned from Google')).toBeTruthy();
    expect(server.count('POST /api/social-auth')).toBe(0);
  });

  test.each([
    ['cancelled', 'You left Google without choosing an account.'],
    ['busy', 'Too many attempts. Please wait a little and try again.'],
    ['failed', 'An error occurred during Google login'],
    ['invented', 'An error occurred during Google login'],
  ])('[ERR-13] the word %s says why nobody is in', async (word, message) => {
    const server = visitor();
    renderApp(`/login?google=${word}`);
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getByText(message)).toBeTruthy();
    expect(server.count('GET /api/social-auth/pending')).toBe(0);
  });
});

describe('back at the signup', () => {
  const open = () => renderApp('/signup?google=done');

  test('[API-14, AUTH-31, AUTH-32] sends authProvider google, shows Account connected and goes home', async () => {
    const server = visitor({ 'POST /api/social-auth': () => json(200, ada) });
    const replace = loadAnew();
    const app = open();
    expect(await screen.findByText('Account connected')).toBeTruthy();
    expect(server.last('POST /api/social-auth')?.body).toMatchObject({
      authProvider: 'google',
      credential: 'a-ticket',
    });
    expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
    expect(app.address()).toBe('/');
    expect(replace).not.toHaveBeenCalled();
  });

  test('[ERR-17] a failure shows the message of the server', async () => {
    visitor({
      'POST /api/social-auth': () => json(409, { message: 'That email is already in use' }),
    });
    open();
    expect(await screen.findByText('Error')).toBeTruthy();
    expect(screen.getByText('That email is already in use')).toBeTruthy();
  });

  test.each([
    ['a refusal without a message', { 'POST /api/social-auth': () => json(500, {}) }],
    ['no answer', {}],
  ])('[ERR-17] %s shows An error occurred during Google signup', async (_, answers) => {
    visitor(answers);
    open();
    expect(await screen.findByText('Error')).toBeTruthy();
    expect(screen.getByText('An error occurred during Google signup')).toBeTruthy();
  });
});

describe('an account is there already', () => {
  const needed = () => json(409, { code: 'password_needed', message: 'Enter its password.' });

  async function asked(link: Parameters<typeof mockApi>[0] = {}, address = '/login') {
    const server = visitor({ 'POST /api/social-auth': needed, ...link });
    const app = renderApp(`${address}?google=done`);
    const field = await screen.findByLabelText('Password');
    await screen.findByRole('region', { name: 'Connect Google' });
    return { server, field, ...app };
  }

  async function connect({ user }: Awaited<ReturnType<typeof asked>>) {
    await user.type(screen.getByLabelText('Password'), 'secret123');
    await user.click(screen.getByRole('button', { name: 'Connect Google' }));
  }

  test('its password is asked for, without a word of failure', async () => {
    await asked();
    expect(screen.getByText('grace.quill@gmail.com')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    expect(screen.queryByText('Login failed')).toBeNull();
    expect(screen.queryByLabelText('Username')).toBeNull();
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toBeTruthy();
  });

  test('the ticket and the password connect it, and the welcome is that of the page', async () => {
    loadAnew();
    const app = await asked({ 'POST /api/social-auth/link': () => json(200, ada) });
    await connect(app);
    expect(await screen.findByText('Login successful')).toBeTruthy();
    expect(app.server.last('POST /api/social-auth/link')?.body).toEqual({
      credential: 'a-ticket',
      password: 'secret123',
    });
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Connecting...' });
    expect(button.disabled).toBe(true);
  });

  test('from the signup it ends with Account connected', async () => {
    const app = await asked({ 'POST /api/social-auth/link': () => json(200, ada) }, '/signup');
    await connect(app);
    expect(await screen.findByText('Account connected')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
  });

  test('nothing typed is told at the field', async () => {
    const { user, server } = await asked();
    await user.click(screen.getByRole('button', { name: 'Connect Google' }));
    expect(screen.getByText('Password is required')).toBeTruthy();
    expect(server.count('POST /api/social-auth/link')).toBe(0);
  });

  test('a wrong password may be tried again', async () => {
    const message = 'That is not the password of this account';
    const refusal = { code: 'unauthenticated', message, fields: { password: message } };
    const app = await asked({ 'POST /api/social-auth/link': () => json(401, refusal) });
    await connect(app);
    expect(await screen.findByText('Login failed')).toBeTruthy();
    expect(screen.getAllByText(message)).toHaveLength(2);
    expect(screen.getByRole('region', { name: 'Connect Google' })).toBeTruthy();
  });

  test('when the ticket has run out the buttons are back', async () => {
    const refusal = { code: 'link_expired', message: 'Your sign-in with Google has expired.' };
    const app = await asked({ 'POST /api/social-auth/link': () => json(410, refusal) });
    await connect(app);
    expect(await screen.findByText('Your sign-in with Google has expired.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeTruthy();
  });

  test('Back leads to the page’s own form', async () => {
    const { user } = await asked();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Username')).toBeTruthy();
  });
});
