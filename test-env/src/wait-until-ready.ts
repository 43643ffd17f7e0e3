import { START_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import type { StartedProcess } from './processes.ts';
import { waitUntil } from './wait-until.ts';

/** Timeout for each request, so that one lost response does not take up the whole waiting time. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Waits until `GET /readyz` returns 200; fails immediately, with the output, when the process ends. */
export async function waitUntilReady(
  started: StartedProcess,
  url: string,
  ms: number = START_TIMEOUT_MS,
): Promise<void> {
  let ended = false;
  void started.exited.then(() => {
    ended = true;
  });
  await waitUntil(
    async () => {
      if (ended) throw new Error(`${started.name} ended before it was ready:\n${started.output()}`);
      return isReady(url);
    },
    () => `${started.name} is not ready:\n${started.output()}`,
    ms,
  );
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, {
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
