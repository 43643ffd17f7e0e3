import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * What we started must not outlive us, not even when we are killed with SIGKILL and run no handler at all.
 * So a guard process of its own holds the other end of a pipe: when we die, in whatever way, the pipe
 * closes, and the guard ends what it was told to watch and removes what it was told to remove.
 */
export interface ReaperCommand {
  track?: { pid: number; signal: NodeJS.Signals };
  untrack?: number;
  remove?: string;
}

let reaper: ChildProcess | undefined;

export function sendToReaper(command: ReaperCommand): void {
  reaper ??= startReaper();
  reaper.stdin?.write(`${JSON.stringify(command)}\n`);
}

function startReaper(): ChildProcess {
  const file = fileURLToPath(new URL('./child-reaper-process.ts', import.meta.url));
  // Detached, so that Ctrl-C in the terminal reaches us and not the guard.
  const started = spawn(process.execPath, [file], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  started.unref();
  // The pipe must not keep us alive either.
  (started.stdin as unknown as { unref(): void }).unref();
  started.stdin.on('error', () => {});
  return started;
}
