import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { START_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { sendToReaper } from './child-reaper.ts';
import { setProcessPriority } from './process-priority.ts';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StartedProcess {
  name: string;
  pid: number;
  kill: (signal?: NodeJS.Signals) => void;
  exited: Promise<ProcessExit>;
  /** Output so far, stdout and stderr together. */
  output: () => string;
  /** Returns the first matching line, waiting up to `ms` for it; fails immediately when the process ends. */
  waitForLine: (pattern: RegExp, ms?: number) => Promise<string>;
}

/** Node's compile cache, as in production. */
const CODE_CACHE = fileURLToPath(new URL('../../.cache/node', import.meta.url));

export interface ProcessOptions {
  /** Options for Node, such as `--watch`. */
  nodeOptions?: string[];
  args?: string[];
  cwd?: string;
  /** Runs under another account, with only `env` as its environment. */
  as?: { uid: number; gid: number };
  /** Also writes the process's output to our stdout, with the name before each line. */
  echo?: boolean;
  /** In `nice` units; negative values take precedence over other processes, if permitted. */
  priority?: number;
}

/** Runs a TypeScript file in a separate process, with the same version of Node. */
export function startProcess(
  name: string,
  file: string,
  env: Record<string, string>,
  options: ProcessOptions = {},
): StartedProcess {
  const child = spawn(
    process.execPath,
    [...(options.nodeOptions ?? []), file, ...(options.args ?? [])],
    {
      env: options.as ? env : { NODE_COMPILE_CACHE: CODE_CACHE, ...process.env, ...env },
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.as,
    },
  );
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${name} could not be started: ${file}`);
  sendToReaper({ track: { pid, signal: 'SIGTERM' } });
  if (options.priority !== undefined) setProcessPriority(options.priority, pid);

  let outputText = '';
  const lineListeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    const echo = options.echo ? lineWriter(name) : undefined;
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      outputText += text;
      echo?.(text);
      for (const listener of lineListeners) listener();
    });
  }

  const exited = new Promise<ProcessExit>((resolve) => {
    // 'close' fires after the last output; 'exit' may fire before it.
    child.once('close', (code, signal) => {
      sendToReaper({ untrack: pid });
      resolve({ code, signal });
      for (const listener of lineListeners) listener();
    });
  });

  function hasEnded(): boolean {
    return child.exitCode !== null || child.signalCode !== null;
  }

  return {
    name,
    pid,
    exited,
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    output: () => outputText,

    waitForLine(pattern, ms = START_TIMEOUT_MS) {
      return new Promise((resolve, reject) => {
        function finish(action: () => void): void {
          clearTimeout(timer);
          lineListeners.delete(check);
          action();
        }
        function fail(outcome: string): void {
          finish(() =>
            reject(
              new Error(`${name} ${outcome} without a line matching ${pattern}:\n${outputText}`),
            ),
          );
        }
        function check(): void {
          const lines = stripVTControlCharacters(outputText).split('\n');
          const found = lines.find((line) => pattern.test(line));
          if (found !== undefined) finish(() => resolve(found));
          else if (hasEnded()) fail('ended');
        }
        const timer = setTimeout(() => fail(`ran for ${ms} ms`), ms);
        lineListeners.add(check);
        check();
      });
    },
  };
}

/** Output arrives in chunks of any length; only whole lines are written, so that each gets its prefix. */
function lineWriter(name: string): (text: string) => void {
  let pending = '';
  return (text) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) process.stdout.write(`${name.padEnd(8)} ${line}\n`);
  };
}
