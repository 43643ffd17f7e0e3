import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../../lib/query.ts';
import { deferredReply, json, mockApi, unauthenticated } from '../../test/mock-api.ts';
import { ada } from '../../test/user-fixtures.ts';
import { meQuery, setCurrentUser } from './current-user.ts';

test('[API-49] the current user is cached under the key /api/me', async () => {
  mockApi({ 'GET /api/me': () => json(200, ada) });
  const client = createQueryClient();
  await client.fetchQuery(meQuery);
  expect(client.getQueryData(['/api/me'])).toEqual(ada);
});

test('[API-06] a 401 gives a null user', async () => {
  mockApi({ 'GET /api/me': unauthenticated });
  expect(await createQueryClient().fetchQuery(meQuery)).toBeNull();
});

test.each([
  ['an answer of 500', () => json(500, { code: 'internal', message: 'Oops' })],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
])('[ERR-18] %s raises "Failed to fetch user data"', async (_what, answer) => {
  mockApi({ 'GET /api/me': answer });
  const asking = createQueryClient().fetchQuery(meQuery);
  await expect(asking).rejects.toThrow('Failed to fetch user data');
});

test('[CONST-02] the current user is stale after 5 minutes', async () => {
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

test('an answer that was on its way when somebody logged in does not sign them out again', async () => {
  const me = deferredReply();
  mockApi({ 'GET /api/me': me.answer });
  const client = createQueryClient();
  void client.prefetchQuery(meQuery);
  await setCurrentUser(client, ada);
  me.reply(unauthenticated());
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(client.getQueryData(meQuery.queryKey)).toEqual(ada);
});
