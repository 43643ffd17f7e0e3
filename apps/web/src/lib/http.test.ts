import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { defineEndpoints } from '@lessonbook/contract/endpoint';
import { search } from '@lessonbook/contract/search';
import { onlineManager } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { json, mockApi, unauthenticated } from '../test/mock-api.ts';
import { ada } from '../test/user-fixtures.ts';
import { ApiError, callAllPages, callApi } from './http.ts';

const credentials = { username: 'ada', password: 'secret123' };

async function catchApiError(response: () => Response): Promise<ApiError> {
  mockApi({ 'GET /api/me': response });
  const error = await callApi(accounts.me).catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error('The call did not fail');
  return error;
}

test('[API-01] every call sends credentials', async () => {
  const { calls } = mockApi({ 'GET /api/me': () => json(200, ada) });
  await callApi(accounts.me);
  expect(calls[0]?.init.credentials).toBe('include');
});

test('[API-02] every call sends cache-prevention headers', async () => {
  const { calls } = mockApi({
    'GET /api/me': () => json(200, ada),
    'POST /api/login': () => json(200, ada),
  });
  await callApi(accounts.me);
  await callApi(accounts.login, { body: credentials });
  for (const { init } of calls) {
    const headers = new Headers(init.headers);
    expect(headers.get('Cache-Control')).toBe('no-cache');
    expect(headers.get('Pragma')).toBe('no-cache');
    expect(init.cache).toBe('no-store');
  }
  expect(calls).toHaveLength(2);
});

test('[API-03] a body is sent as JSON, and a call without one sends none', async () => {
  const { last } = mockApi({
    'POST /api/login': () => json(200, ada),
    'POST /api/logout': () => json(200, { message: 'Bye' }),
  });
  await callApi(accounts.login, { body: credentials });
  await callApi(accounts.logout);

  const login = last('POST /api/login');
  expect(new Headers(login?.init.headers).get('Content-Type')).toBe('application/json');
  expect(login?.body).toEqual(credentials);

  const logout = last('POST /api/logout');
  expect(logout?.init.body).toBeUndefined();
  expect(new Headers(logout?.init.headers).get('Content-Type')).toBeNull();
});

test('params and query are encoded into the URL', async () => {
  const { things } = defineEndpoints({
    things: {
      method: 'GET',
      path: '/api/things/:id',
      access: 'login',
      summary: 'For this test',
      params: z.object({ id: z.string() }),
      query: z.object({ from: z.string(), to: z.optional(z.string()) }),
      reply: z.object({}),
    },
  });
  const { calls } = mockApi({ 'GET /api/things/a%2Fb': () => json(200, {}) });
  await callApi(things, { params: { id: 'a/b' }, query: { from: '2026-11-15', to: undefined } });
  expect(calls[0]?.url).toBe('/api/things/a%2Fb?from=2026-11-15');
});

test('[ERR-01] a JSON error response provides the error message', async () => {
  const error = await catchApiError(() =>
    json(409, {
      code: 'conflict',
      message: 'That username is taken',
      fields: { username: 'That username is taken' },
    }),
  );
  expect(error.message).toBe('That username is taken');
  expect(error.status).toBe(409);
  expect(error.code).toBe('conflict');
  expect(error.fields).toEqual({ username: 'That username is taken' });
});

test('[ERR-02] a JSON error response without a message falls back to status and status text', async () => {
  const error = await catchApiError(() => json(503, {}, 'Service Unavailable'));
  expect(error.message).toBe('503 Service Unavailable');
});

test('[ERR-03] the text of an error response that is not JSON is the error message', async () => {
  const error = await catchApiError(() => new Response('Gateway unavailable', { status: 502 }));
  expect(error.message).toBe('Gateway unavailable');
});

test('[ERR-04] an error response that is not JSON and has no text falls back to status and status text', async () => {
  const error = await catchApiError(
    () => new Response('', { status: 500, statusText: 'Internal Server Error' }),
  );
  expect(error.message).toBe('500 Internal Server Error');
});

test('malformed JSON is treated as a response without a message', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const error = await catchApiError(
    () => new Response('{"message":', { status: 500, statusText: 'Oops', headers }),
  );
  expect(error.message).toBe('500 Oops');
});

test("a network error has status 0 and no message, so that the caller's fallback applies", async () => {
  mockApi({});
  const error = await callApi(accounts.me).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 0, message: '' });
});

test('F141 a cancelled request fails without reporting a lost connection', async () => {
  const controller = new AbortController();
  mockApi({
    'GET /api/search': async () => {
      controller.abort();
      throw new DOMException('Aborted', 'AbortError');
    },
  });
  onlineManager.setOnline(true);
  const cancelled = callApi(search.search, { query: { q: 'a' }, signal: controller.signal });
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  expect(onlineManager.isOnline()).toBe(true);
});

test("a proxy's HTML page is not shown to the user", async () => {
  const page = '<html><body>Bad gateway</body></html>';
  const headers = { 'Content-Type': 'text/html' };
  const error = await catchApiError(() => new Response(page, { status: 502, headers }));
  expect(error.message).toBe(page);
  expect(error.userMessage).toBeUndefined();
  expect((await catchApiError(unauthenticated)).userMessage).toBe('Please log in to continue.');
});

test('F19 callAllPages requests pages of the maximum size until one is not full', async () => {
  const ids = Array.from({ length: 1100 }, (_, index) => index + 1);
  const { calls } = mockApi({
    'GET /api/people': ({ url }) => {
      const query = new URL(url, 'http://localhost').searchParams;
      const after = Number(query.get('after') ?? 0);
      // The default is smaller, so that a request without a limit would end the list early.
      const limit = Number(query.get('limit') ?? 100);
      const page = ids.filter((id) => id > after).slice(0, limit);
      return json(
        200,
        page.map((id) => ({ id })),
      );
    },
  });
  const all = await callAllPages(privacy.listPeople, { kind: 'student' });
  expect(all.map(({ id }) => id)).toEqual(ids);
  expect(calls.map(({ url }) => url)).toEqual([
    '/api/people?kind=student&limit=500',
    '/api/people?kind=student&limit=500&after=500',
    '/api/people?kind=student&limit=500&after=1000',
  ]);
});
