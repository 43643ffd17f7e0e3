import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createQueryClient, listenToWindowFocus } from '../../lib/query-client.ts';
import { json, mockApi, neverReplies, unauthenticated } from '../../test/mock-api.ts';
import { ada } from '../../test/user-fixtures.ts';
import { AuthProvider, useAuth } from './AuthProvider.tsx';
import { meQuery } from './current-user.ts';

function AuthState() {
  const { state, user } = useAuth();
  return <p>{user ? `${state}: ${user.name}` : state}</p>;
}

function renderAuthState(client: QueryClient = createQueryClient(), extra?: React.ReactNode) {
  render(
    <QueryClientProvider client={client}>
      <AuthProvider>
        <AuthState />
        {extra}
      </AuthProvider>
    </QueryClientProvider>,
  );
}

test('[AUTH-19] the state is loading until the response arrives', () => {
  mockApi({ 'GET /api/me': neverReplies });
  renderAuthState();
  expect(screen.getByText('loading')).toBeTruthy();
});

test('[AUTH-19] the state is signed in when there is a user', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  renderAuthState();
  expect(await screen.findByText('signed in: Ada Fenwick')).toBeTruthy();
});

test('[AUTH-19] the state is signed out when the user is null', async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  renderAuthState();
  expect(await screen.findByText('signed out')).toBeTruthy();
});

test('[AUTH-24] a failed first request results in a null user', async () => {
  mockApi({ 'GET /api/me': () => json(500, { message: 'Oops' }) });
  renderAuthState();
  expect(await screen.findByText('signed out')).toBeTruthy();
});

test('a failed refresh keeps the tutor signed in', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  renderAuthState();
  await screen.findByText('signed in: Ada Fenwick');
  server.handlers['GET /api/me'] = () => json(503, {});
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(server.count('GET /api/me')).toBe(2);
  expect(screen.getByText('signed in: Ada Fenwick')).toBeTruthy();
});

test('a retry after a failed first request does not return to loading', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(500, {}) });
  renderAuthState();
  await screen.findByText('signed out');
  server.handlers['GET /api/me'] = neverReplies;
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(server.count('GET /api/me')).toBe(2);
  expect(screen.getByText('signed out')).toBeTruthy();
});

test('a failed prefetch does not count as signed out while it is being retried', async () => {
  const states: string[] = [];
  function RecordState() {
    states.push(useAuth().state);
    return null;
  }
  mockApi({});
  const client = createQueryClient();
  await client.prefetchQuery(meQuery);
  expect(client.getQueryState(meQuery.queryKey)?.status).toBe('error');
  renderAuthState(client, <RecordState />);
  expect(await screen.findByText('unreachable')).toBeTruthy();
  expect(states).not.toContain('signed out');
});

test('[CONST-01] the current user is refreshed every 60000 ms', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  renderAuthState();
  await screen.findByText('signed in: Ada Fenwick');
  server.handlers['GET /api/me'] = () => json(200, { ...ada, name: 'Ada King' });
  await act(() => vi.advanceTimersByTimeAsync(50_000));
  expect(screen.queryByText('signed in: Ada King')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.getByText('signed in: Ada King')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(server.count('GET /api/me')).toBe(3);
});

test('[AUTH-25] the current user is refreshed when the window gains focus', async () => {
  listenToWindowFocus();
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  renderAuthState();
  await screen.findByText('signed in: Ada Fenwick');
  server.handlers['GET /api/me'] = () => json(200, { ...ada, name: 'Ada King' });
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(await screen.findByText('signed in: Ada King')).toBeTruthy();
});

test('[ERR-35] throws when used outside its provider', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => render(<AuthState />)).toThrow('useAuth must be used inside AuthProvider');
});

function Lessons({ fetchLessons }: { fetchLessons: () => Promise<string> }) {
  const { data } = useQuery({ queryKey: ['/api/lessons'], queryFn: fetchLessons });
  return <p>{data}</p>;
}

test.each([
  ['revision', { revision: 2 }],
  ['today', { today: '2026-11-16' }],
])('when %s changes, every other query is refetched', async (_, change) => {
  listenToWindowFocus();
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  let lessons = 'Maya 16:00';
  renderAuthState(createQueryClient(), <Lessons fetchLessons={async () => lessons} />);
  await screen.findByText('Maya 16:00');
  await screen.findByText('signed in: Ada Fenwick');

  lessons = 'Maya 17:00';
  act(() => void window.dispatchEvent(new Event('focus')));
  await vi.waitFor(() => expect(server.count('GET /api/me')).toBe(2));
  expect(screen.queryByText('Maya 17:00')).toBeNull();

  server.handlers['GET /api/me'] = () => json(200, { ...ada, ...change });
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(await screen.findByText('Maya 17:00')).toBeTruthy();
});
