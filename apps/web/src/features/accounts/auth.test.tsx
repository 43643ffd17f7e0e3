import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createQueryClient, listenToWindowFocus } from '../../lib/query.ts';
import { json, mockApi, neverReplies, unauthenticated } from '../../test/mock-api.ts';
import { ada } from '../../test/user-fixtures.ts';
import { AuthProvider, useAuth } from './auth.tsx';
import { meQuery } from './current-user.ts';

function Who() {
  const { state, user } = useAuth();
  return <p>{user ? `${state}: ${user.name}` : state}</p>;
}

function renderWho(client: QueryClient = createQueryClient(), extra?: React.ReactNode) {
  render(
    <QueryClientProvider client={client}>
      <AuthProvider>
        <Who />
        {extra}
      </AuthProvider>
    </QueryClientProvider>,
  );
}

test('[AUTH-19] the state is loading until the answer is here', () => {
  mockApi({ 'GET /api/me': neverReplies });
  renderWho();
  expect(screen.getByText('loading')).toBeTruthy();
});

test('[AUTH-19] the state is signed in with a user present', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  renderWho();
  expect(await screen.findByText('signed in: Ada Fenwick')).toBeTruthy();
});

test('[AUTH-19] the state is signed out with a null user', async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  renderWho();
  expect(await screen.findByText('signed out')).toBeTruthy();
});

test('[AUTH-24] a first fetch that fails yields a null user', async () => {
  mockApi({ 'GET /api/me': () => json(500, { message: 'Oops' }) });
  renderWho();
  expect(await screen.findByText('signed out')).toBeTruthy();
});

test('a refresh that fails keeps the tutor signed in', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  renderWho();
  await screen.findByText('signed in: Ada Fenwick');
  server.answers['GET /api/me'] = () => json(503, {});
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(server.count('GET /api/me')).toBe(2);
  expect(screen.getByText('signed in: Ada Fenwick')).toBeTruthy();
});

test('after a failed first load the next try does not go back to loading', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(500, {}) });
  renderWho();
  await screen.findByText('signed out');
  server.answers['GET /api/me'] = neverReplies;
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(server.count('GET /api/me')).toBe(2);
  expect(screen.getByText('signed out')).toBeTruthy();
});

test('asked in vain before the app was drawn: nobody counts as signed out while it is asked again', async () => {
  const shown: string[] = [];
  function Note() {
    shown.push(useAuth().state);
    return null;
  }
  mockApi({});
  const client = createQueryClient();
  await client.prefetchQuery(meQuery);
  expect(client.getQueryState(meQuery.queryKey)?.status).toBe('error');
  renderWho(client, <Note />);
  expect(await screen.findByText('out of reach')).toBeTruthy();
  expect(shown).not.toContain('signed out');
});

test('[CONST-01] the current user is refreshed every 60000 ms', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  renderWho();
  await screen.findByText('signed in: Ada Fenwick');
  server.answers['GET /api/me'] = () => json(200, { ...ada, name: 'Ada King' });
  await act(() => vi.advanceTimersByTimeAsync(50_000));
  expect(screen.queryByText('signed in: Ada King')).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.getByText('signed in: Ada King')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(server.count('GET /api/me')).toBe(3);
});

test('[AUTH-25] the current user is refreshed when the window gets the focus', async () => {
  listenToWindowFocus();
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  renderWho();
  await screen.findByText('signed in: Ada Fenwick');
  server.answers['GET /api/me'] = () => json(200, { ...ada, name: 'Ada King' });
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(await screen.findByText('signed in: Ada King')).toBeTruthy();
});

test('[ERR-35] used outside its provider it throws', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => render(<Who />)).toThrow('useAuth must be used inside AuthProvider');
});

function Lessons({ fetchLessons }: { fetchLessons: () => Promise<string> }) {
  const { data } = useQuery({ queryKey: ['/api/lessons'], queryFn: fetchLessons });
  return <p>{data}</p>;
}

test.each([
  ['revision', { revision: 2 }],
  ['today', { today: '2026-11-16' }],
])('when %s changes, every other query is fetched anew', async (_what, change) => {
  listenToWindowFocus();
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  let lessons = 'Maya 16:00';
  renderWho(createQueryClient(), <Lessons fetchLessons={async () => lessons} />);
  await screen.findByText('Maya 16:00');
  await screen.findByText('signed in: Ada Fenwick');

  lessons = 'Maya 17:00';
  act(() => void window.dispatchEvent(new Event('focus')));
  await vi.waitFor(() => expect(server.count('GET /api/me')).toBe(2));
  expect(screen.queryByText('Maya 17:00')).toBeNull();

  server.answers['GET /api/me'] = () => json(200, { ...ada, ...change });
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(await screen.findByText('Maya 17:00')).toBeTruthy();
});
