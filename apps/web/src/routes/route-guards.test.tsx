import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { toasts } from '../lib/toast.ts';
import {
  createDeferredReply,
  json,
  mockApi,
  neverReplies,
  unauthenticated,
} from '../test/mock-api.ts';
import { renderApp } from '../test/render-app.tsx';
import { ada } from '../test/user-fixtures.ts';
import { createAppRouter, listPages } from './router.ts';

const reports = { name: 'Tutor Earnings Report' };
const landing = { name: 'Every lesson booked, taught and paid for.' };

const tutorPaths = listPages(createAppRouter(createQueryClient()))
  .filter(({ path, section }) => section !== null && path !== '/')
  .map(({ path }) => path.replace(/\$\w+/g, '1'));

test.each(tutorPaths)(
  '[ROUTE-02] without a login, %s redirects to the login page',
  async (path) => {
    mockApi({ 'GET /api/me': unauthenticated });
    const app = renderApp(path);
    await vi.waitFor(() => expect(app.pathname()).toBe('/login'));
  },
);

test('[ROUTE-04] a spinner is shown while the login state loads', async () => {
  mockApi({ 'GET /api/me': neverReplies });
  renderApp('/reports');
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(screen.queryByRole('heading', reports)).toBeNull();
});

test('[ROUTE-03] the redirect to /login waits until loading has finished', async () => {
  const me = createDeferredReply();
  mockApi({ 'GET /api/me': me.handler });
  const app = renderApp('/reports');
  await screen.findByRole('status', { name: 'Loading' });
  expect(app.pathname()).toBe('/reports');
  act(() => me.reply(unauthenticated()));
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(app.pathname()).toBe('/login');
});

test('[ROUTE-03] a signed-in tutor who reloads /reports stays there', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const app = renderApp('/reports');
  expect(await screen.findByRole('heading', reports)).toBeTruthy();
  expect(app.pathname()).toBe('/reports');
});

test('[ROUTE-11] / shows a spinner while the login state loads, and neither the landing page nor the dashboard', async () => {
  const me = createDeferredReply();
  mockApi({ 'GET /api/me': me.handler });
  renderApp('/');
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(screen.queryByRole('heading')).toBeNull();
  act(() => me.reply(json(200, ada)));
  expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
});

test('[API-06] a 401 shows the landing page and no error', async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  renderApp('/');
  expect(await screen.findByRole('heading', landing)).toBeTruthy();
  expect(toasts.current()).toBeNull();
});

test.each(['/login', '/signup'])('a signed-in tutor is redirected from %s to /', async (path) => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const app = renderApp(path);
  expect(await screen.findByRole('heading', { name: 'Good to see you, Ada' })).toBeTruthy();
  expect(app.pathname()).toBe('/');
});

test('a login ended on another device redirects to the login page', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  const app = renderApp('/reports');
  await screen.findByRole('heading', reports);
  server.handlers['GET /api/me'] = unauthenticated;
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(app.pathname()).toBe('/login');
});

test('logging out on / redirects to the login page, not to the landing page', async () => {
  mockApi({
    'GET /api/me': () => json(200, ada),
    'POST /api/logout': () => json(200, { message: 'Bye' }),
  });
  const app = renderApp('/');
  await app.user.click(await screen.findByRole('button', { name: /account menu/ }));
  await app.user.click(await screen.findByText('Logout'));
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeTruthy();
  expect(screen.queryByRole('heading', landing)).toBeNull();
  expect(app.pathname()).toBe('/login');
});
