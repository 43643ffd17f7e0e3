import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';

const POLL_MS = 20;

/** Polls until the condition holds; throws `reason()` after `ms`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  reason: () => string,
  ms: number = WAIT_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${reason()} (after ${ms} ms)`);
    await sleep(POLL_MS);
  }
}
