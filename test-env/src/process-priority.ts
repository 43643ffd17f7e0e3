import { getPriority, setPriority } from 'node:os';

/** As of `nice`: about a tenth of the share of a processor that two want. */
const NICE_STEP = 10;

/** This process, and all that it starts from now on, lets others go first. */
export const lowerPriority = (): void => setProcessPriority(getPriority() + NICE_STEP);

/**
 * Starts something that has not stood back. For a browser that is measured: a phone does not share its processor with the
 * server, the database and whoever holds the watch.
 */
export async function withNormalPriority<Started>(start: () => Promise<Started>): Promise<Started> {
  const own = getPriority();
  setProcessPriority(own - NICE_STEP);
  try {
    // Whoever is started takes over the priority of the one who starts it.
    return await start();
  } finally {
    setProcessPriority(own);
  }
}

/** Of this process unless another is named. */
export function setProcessPriority(priority: number, pid = 0): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Not allowed: then it waits its turn.
  }
}
