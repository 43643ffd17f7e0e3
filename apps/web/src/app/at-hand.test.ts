import { createMemoryHistory } from '@tanstack/react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { meQuery } from '../features/accounts/me.ts';
import { createQueryClient } from '../lib/query.ts';
import { answerCalls, json, never } from '../test/responder.ts';
import { ada } from '../test/users.ts';
import { screenAtHand } from './at-hand.ts';
import { MantineFrame, Shell } from './chunks.tsx';
import { createAppRouter } from './router.ts';

afterEach(() => vi.restoreAllMocks());

/** As `main.tsx` begins at an address. Resolves when the screen may be drawn. */
function begin(address: string, me: () => Response | Promise<Response>) {
  answerCalls({ 'GET /api/me': me });
  const queryClient = createQueryClient();
  const asked = queryClient.prefetchQuery(meQuery);
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(queryClient, history);
  return screenAtHand(router, router.load(), asked);
}

const signedIn = () => json(200, ada);

test("a tutor's screen waits for who is signed in and for its frame", async () => {
  const frames = [vi.spyOn(MantineFrame, 'preload'), vi.spyOn(Shell, 'preload')];
  await begin('/families', signedIn);
  for (const frame of frames) await expect(frame.mock.results.at(-1)?.value).resolves.toBeTruthy();
});

test('without an answer it is drawn after a second, for the gates to say so', async () => {
  vi.useFakeTimers();
  const drawn = vi.fn();
  void begin('/families', never).then(drawn);
  await vi.advanceTimersByTimeAsync(999);
  expect(drawn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(drawn).toHaveBeenCalled();
});

test('a page for families waits for nobody', async () => {
  // No time passes, so only what waits for nothing comes to an end.
  vi.useFakeTimers();
  await expect(begin('/unsubscribe/some-token', never)).resolves.toBeUndefined();
});

test('without a network nothing is waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  vi.useFakeTimers();
  await expect(begin('/families', never)).resolves.toBeUndefined();
});

test('a frame that cannot be fetched keeps nothing from being drawn', async () => {
  vi.spyOn(Shell, 'preload').mockRejectedValue(new TypeError('Failed to fetch'));
  vi.useFakeTimers();
  await expect(begin('/families', signedIn)).resolves.toBeUndefined();
});
