import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The namespaces have fixed names, so only one run can use them at a time. */
const FILE = '/run/lessonbook-failover.pid';

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('failover');
  } catch {
    return false;
  }
}

/** Throws if another run is in progress; the lock of a run that was killed is ignored. */
export function lockRun(): void {
  const pid = existsSync(FILE) ? Number(readFileSync(FILE, 'utf8')) : 0;
  if (isRunning(pid)) throw new Error(`npm run failover is already running (process ${pid})`);
  writeFileSync(FILE, String(process.pid));
}

export const unlockRun = (): void => rmSync(FILE, { force: true });
