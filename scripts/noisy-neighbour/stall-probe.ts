/**
 * Preloaded into the API and the worker with `--import`. Prints a line when one turn of the event loop uses a lot of processor
 * time. A busy machine only delays the process, so its load does not count. With NEIGHBOUR_PROFILE, the line names the functions.
 */
import { writeSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

/** A timer that is due fires once in each turn of the loop. */
const INTERVAL_MS = 5;
const REPORTED_MS = 40;
/** Turns at least this long are profiled. */
const PROFILED_MS = 200;
const PROFILE_RESTART_MS = 5_000;
const SHOWN_FUNCTIONS = 4;

function startProbe(): void {
  const profiler = process.env['NEIGHBOUR_PROFILE'] ? startProfiler() : undefined;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = Math.round((user + system) / 1000);
    if (ms >= REPORTED_MS) {
      const functions = ms >= PROFILED_MS ? (profiler?.describe(ms) ?? '') : '';
      writeSync(1, `stall ${Date.now()} ${ms} ${functions}\n`);
    }
    before = process.threadCpuUsage();
  }, INTERVAL_MS).unref();
}

function startProfiler(): { describe: (ms: number) => string } {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1_000 });
  const start = () => session.post('Profiler.start');
  const restart = (): Profiler.Profile | undefined => {
    let profile: Profiler.Profile | undefined;
    // The callback runs before `post` returns.
    session.post('Profiler.stop', (_error, result) => {
      profile = result?.profile;
    });
    start();
    return profile;
  };
  start();
  setInterval(restart, PROFILE_RESTART_MS).unref();
  return {
    describe: (ms) => {
      const profile = restart();
      return profile ? describeFunctions(profile, ms) : '';
    },
  };
}

/** The functions that used the most time in the last `ms` milliseconds of the profile, innermost function first. */
function describeFunctions(profile: Profiler.Profile, ms: number): string {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])),
  );
  const from = profile.endTime - ms * 1000;
  const times = new Map<string, number>();
  let at = profile.startTime;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const delta = profile.timeDeltas?.[index] ?? 0;
    at += delta;
    if (at < from) continue;
    const names = new Set<string>();
    for (let node = nodes.get(id); node; node = nodes.get(parents.get(node.id) ?? -1)) {
      const { functionName, url, lineNumber } = node.callFrame;
      const isShown = node.id === id || url.includes('/apps/server/src/');
      if (isShown && functionName !== '(idle)')
        names.add(
          `${functionName || 'anonymous'} ${url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '')}:${lineNumber + 1}`,
        );
    }
    for (const name of names) times.set(name, (times.get(name) ?? 0) + delta);
  }
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN_FUNCTIONS)
    .map(([name, time]) => `${name} ${Math.round(time / 1000)} ms`)
    .join(', ');
}

if (isMainThread) startProbe();
