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

/** As `main.tsx` begins at an address. Resolves when the screen may be drawn. */
function begin(address: string, me: () => Response | Promise<Response>) {
  mockApi({ 'GET /api/me': me });
  const queryClient = createQueryClient();
  const asked = queryClient.prefetchQuery(meQuery);
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(queryClient, history);
  return preloadFirstPage(router, router.load(), asked);
}

const signedIn = () => json(200, ada);

test("a tutor's screen waits for who is signed in and for its frame", async () => {
  const frames = [vi.spyOn(UiProvider, 'preload'), vi.spyOn(Shell, 'preload')];
  await begin('/families', signedIn);
  for (const frame of frames) await expect(frame.mock.results.at(-1)?.value).resolves.toBeTruthy();
});

test('without an answer it is drawn after a second, for the gates to say so', async () => {
  vi.useFakeTimers();
  const drawn = vi.fn();
  void begin('/families', neverReplies).then(drawn);
  await vi.advanceTimersByTimeAsync(999);
  expect(drawn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(drawn).toHaveBeenCalled();
});

test('a page for families waits for nobody', async () => {
  // No time passes, so only what waits for nothing comes to an end.
  vi.useFakeTimers();
  await expect(begin('/unsubscribe/some-token', neverReplies)).resolves.toBeUndefined();
});

test('without a network nothing is waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.useFakeTimers();
  await expect(begin('/families', neverReplies)).resolves.toBeUndefined();
});

test('a frame that cannot be fetched keeps nothing from being drawn', async () => {
  vi.spyOn(Shell, 'preload').mockRejectedValue(new TypeError('Failed to fetch'));
  vi.useFakeTimers();
  await expect(begin('/families', signedIn)).resolves.toBeUndefined();
});
