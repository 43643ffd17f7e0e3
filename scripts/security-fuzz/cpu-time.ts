import { readFileSync } from 'node:fs';

/** Ticks of Linux's own counting of processor time. */
const TICKS_PER_MS = 100 / 1000;
const PROBE_MS = 20;

/** Processor time that a process has had so far. */
function cpuMs(pid: number): number {
  // The name in brackets may hold spaces; what follows it is counted from field 3 on.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS;
}

/** How many times longer than its work a piece of work takes here and now, because others want the processor too. */
function cpuContention(): number {
  const start = performance.now();
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < PROBE_MS);
  return Math.max(1, (performance.now() - start) / used());
}

/**
 * What an answer took, without the time for which its process stood in line for a processor: on a machine that is busy
 * with other things this says something about the product. Time spent asleep or waiting for somebody else counts in full.
 */
export async function contentionFreeMs(
  pid: number,
  work: () => Promise<{ ms: number } | undefined>,
): Promise<number> {
  const crowdedBefore = cpuContention();
  const cpuBefore = cpuMs(pid);
  const response = await work();
  const cpu = cpuMs(pid) - cpuBefore;
  const crowded = (crowdedBefore + cpuContention()) / 2;
  return Math.max(0, (response?.ms ?? 0) - cpu * (crowded - 1));
}
