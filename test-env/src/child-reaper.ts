import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Child processes must not outlive this process, even after a SIGKILL, which runs no exit handler.
 * A separate reaper process holds the other end of a pipe: when this process dies, the pipe closes,
 * and the reaper stops the tracked processes and removes the registered paths.
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
  // Detached, so that Ctrl-C in the terminal does not reach the reaper.
  const started = spawn(process.execPath, [file], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  started.unref();
  // The pipe must not keep this process alive either.
  (started.stdin as unknown as { unref(): void }).unref();
  started.stdin.on('error', () => {});
  return started;
}
