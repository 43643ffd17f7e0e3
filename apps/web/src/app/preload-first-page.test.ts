import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { meQuery } from '../features/accounts/current-user.ts';
import { createQueryClient } from '../lib/query.ts';
import { json, mockApi, neverReplies } from '../test/mock-api.ts';
import { ada } from '../test/user-fixtures.ts';
import { preloadFirstPage } from './preload-first-page.ts';
import { Shell, UiProvider } from './preloadable-pages.tsx';
import { createAppRouter } from './router.ts';

afterEach(() => vi.restoreAllMocks());

/** Starts the app at a path, as `main.tsx` does. Resolves once the page may be rendered. */
function startAt(path: string, me: () => Response | Promise<Response>) {
  mockApi({ 'GET /api/me': me });
  const queryClient = createQueryClient();
  const userRequest = queryClient.prefetchQuery(meQuery);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter(queryClient, history);
  return preloadFirstPage(router, router.load(), userRequest);
}

const signedIn = () => json(200, ada);

test("a tutor's page waits for the current user, the UI provider and the shell", async () => {
  const preloads = [vi.spyOn(UiProvider, 'preload'), vi.spyOn(Shell, 'preload')];
  await startAt('/families', signedIn);
  for (const preload of preloads)
    await expect(preload.mock.results.at(-1)?.value).resolves.toBeTruthy();
});

test('if no response arrives, the page is rendered after one second', async () => {
  vi.useFakeTimers();
  const rendered = vi.fn();
  void startAt('/families', neverReplies).then(rendered);
  await vi.advanceTimersByTimeAsync(999);
  expect(rendered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(rendered).toHaveBeenCalled();
});

test('a public page is rendered without waiting', async () => {
  // With fake timers, the promise would not resolve if it waited.
  vi.useFakeTimers();
  await expect(startAt('/unsubscribe/some-token', neverReplies)).resolves.toBeUndefined();
});

test('offline, the page is rendered without waiting', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.useFakeTimers();
  await expect(startAt('/families', neverReplies)).resolves.toBeUndefined();
});

test('a failure to fetch the shell does not block rendering', async () => {
  vi.spyOn(Shell, 'preload').mockRejectedValue(new TypeError('Failed to fetch'));
  vi.useFakeTimers();
  await expect(startAt('/families', signedIn)).resolves.toBeUndefined();
});
