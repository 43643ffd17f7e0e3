import { getPriority, setPriority } from 'node:os';

/** In `nice` units: about a tenth of a contended processor. */
const NICE_STEP = 10;

/** Lowers the priority of this process and of all processes that it starts from now on. */
export const lowerPriority = (): void => setProcessPriority(getPriority() + NICE_STEP);

/**
 * Starts a process with normal priority. For a browser that is measured: a phone does not share its processor with the
 * server, the database and the measuring tool.
 */
export async function withNormalPriority<Started>(start: () => Promise<Started>): Promise<Started> {
  const own = getPriority();
  setProcessPriority(own - NICE_STEP);
  try {
    // A child process inherits the priority of its parent.
    return await start();
  } finally {
    setProcessPriority(own);
  }
}

/** Of this process by default. */
export function setProcessPriority(priority: number, pid = 0): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Raising the priority needs privileges; without them it stays as it is.
  }
}
