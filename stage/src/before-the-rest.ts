import { getPriority, setPriority } from 'node:os';

/** As of `nice`: about a tenth of the share of a processor that two want. */
const BEHIND = 10;

/** This process, and all that it starts from now on, lets others go first. */
export const standBack = (): void => giveWay(getPriority() + BEHIND);

/**
 * Starts something that has not stood back. For a browser that is measured: a phone does not share its processor with the
 * server, the database and whoever holds the watch.
 */
export async function beforeTheRest<Started>(start: () => Promise<Started>): Promise<Started> {
  const own = getPriority();
  giveWay(own - BEHIND);
  try {
    // Whoever is started takes over the priority of the one who starts it.
    return await start();
  } finally {
    giveWay(own);
  }
}

/** Of this process unless another is named. */
export function giveWay(priority: number, pid = 0): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Not allowed: then it waits its turn.
  }
}
