// The process behind guard.ts: reads orders line by line and acts once the line goes dead.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardOrder } from './guard.ts';

const watched = new Map<number, NodeJS.Signals>();
const toRemove = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as GuardOrder;
  if (order.watch) watched.set(order.watch.pid, order.watch.signal);
  if (order.forget !== undefined) watched.delete(order.forget);
  if (order.remove !== undefined) toRemove.add(order.remove);
}

for (const [pid, signal] of watched) send(pid, signal);

const patience = performance.now() + 10_000;
while ([...watched.keys()].some(isAlive) && performance.now() < patience) await sleep(50);
for (const pid of watched.keys()) send(pid, 'SIGKILL');

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
