// The process that child-reaper.ts starts: reads commands line by line and cleans up when stdin closes.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReaperCommand } from './child-reaper.ts';

const tracked = new Map<number, NodeJS.Signals>();
const toRemove = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as ReaperCommand;
  if (command.track) tracked.set(command.track.pid, command.track.signal);
  if (command.untrack !== undefined) tracked.delete(command.untrack);
  if (command.remove !== undefined) toRemove.add(command.remove);
}

for (const [pid, signal] of tracked) send(pid, signal);

const deadline = performance.now() + 10_000;
while ([...tracked.keys()].some(isAlive) && performance.now() < deadline) await sleep(50);
for (const pid of tracked.keys()) send(pid, 'SIGKILL');

for (const path of toRemove) rmSync(path, { recursive: true, force: true });

function isAlive(pid: number): boolean {
  return send(pid, 0);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
