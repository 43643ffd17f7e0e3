import { getPriority, setPriority } from 'node:os';

/** In `nice` units. A process whose priority is lowered by this much gets about a tenth of a contended processor. */
const NICE_STEP = 10;

/** Lowers the priority of this process and of all processes that it starts afterwards. */
export const lowerPriority = (): void => setProcessPriority(getPriority() + NICE_STEP);

/**
 * Starts a process with normal priority. Used to measure a browser, because a real phone does not share its processor with
 * the server, the database and the measuring tool.
 */
export async function withNormalPriority<Started>(start: () => Promise<Started>): Promise<Started> {
  const ownPriority = getPriority();
  setProcessPriority(ownPriority - NICE_STEP);
  try {
    // A child process inherits the priority of its parent.
    return await start();
  } finally {
    setProcessPriority(ownPriority);
  }
}

/** Applies to this process by default. */
export function setProcessPriority(priority: number, pid = 0): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Raising the priority needs privileges; without them, the priority does not change.
  }
}
