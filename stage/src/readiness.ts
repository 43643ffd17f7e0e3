import type { StartedProcess } from './processes.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until the process answers `GET /readyz` with 200; fails at once, with its output, when it ends. */
export async function waitUntilReady(
  started: StartedProcess,
  url: string,
  ms = 20_000,
): Promise<void> {
  let ended = false;
  void started.exited.then(() => {
    ended = true;
  });
  await waitUntil(
    async () => {
      if (ended) throw new Error(`${started.name} ended before it was ready:\n${started.output()}`);
      return answersReady(url);
    },
    ms,
    () => `${started.name} is not ready after ${ms} ms:\n${started.output()}`,
  );
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await reply.body?.cancel();
    return reply.status === 200;
  } catch {
    return false;
  }
}
