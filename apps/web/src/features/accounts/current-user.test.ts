import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../../lib/query-client.ts';
import { createDeferredReply, json, mockApi, unauthenticated } from '../../test/mock-api.ts';
import { ada } from '../../test/user-fixtures.ts';
import { meQuery, setCurrentUser } from './current-user.ts';

test('[API-49] the current user is cached under the key /api/me', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const client = createQueryClient();
  await client.fetchQuery(meQuery);
  expect(client.getQueryData(['/api/me'])).toEqual(ada);
});

test('[API-06] a 401 results in a null user', async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  expect(await createQueryClient().fetchQuery(meQuery)).toBeNull();
});

test.each([
  ['a 500 response', () => json(500, { code: 'internal', message: 'Oops' })],
  ['a network error', () => Promise.reject(new TypeError('Failed to fetch'))],
])('[ERR-18] %s raises "Failed to fetch user data"', async (_, handler) => {
  mockApi({ 'GET /api/me': handler });
  const request = createQueryClient().fetchQuery(meQuery);
  await expect(request).rejects.toThrow('Failed to fetch user data');
});

test('[CONST-02] the current user goes stale after 5 minutes', async () => {
  vi.useFakeTimers();
  const server = mockApi({ 'GET /api/me': () => json(200, ada) });
  const client = createQueryClient();
  await client.fetchQuery(meQuery);
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
  await client.fetchQuery(meQuery);
  expect(server.count('GET /api/me')).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await client.fetchQuery(meQuery);
  expect(server.count('GET /api/me')).toBe(2);
});

test('a response that was pending during login does not sign the tutor out again', async () => {
  const me = createDeferredReply();
  mockApi({ 'GET /api/me': me.handler });
  const client = createQueryClient();
  void client.prefetchQuery(meQuery);
  await setCurrentUser(client, ada);
  me.reply(unauthenticated());
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(meQuery.queryKey)).toEqual(ada);
});
