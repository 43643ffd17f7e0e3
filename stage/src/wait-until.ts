import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is yes; fails after `ms` with the reason given. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  ms: number,
  reason: () => string,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(reason());
    await sleep(25);
  }
}
