import { START_CEILING_MS } from '@lessonbook/fakes/shared/ceiling';
import type { StartedProcess } from './processes.ts';
import { waitUntil } from './wait-until.ts';

/** A reply that is lost must not use up the whole wait. */
const REPLY_MS = 10_000;

/** Waits until the process answers `GET /readyz` with 200; fails at once, with its output, when it ends. */
export async function waitUntilReady(
  started: StartedProcess,
  url: string,
  ms: number = START_CEILING_MS,
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
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(REPLY_MS) });
    await reply.body?.cancel();
    return reply.status === 200;
  } catch {
    return false;
  }
}
