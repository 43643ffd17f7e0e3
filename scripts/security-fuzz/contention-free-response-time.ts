import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_MS = 100 / 1000;
const PROBE_MS = 20;

/** Processor time used by a process so far. */
function cpuMs(pid: number): number {
  // The name in brackets may contain spaces; the first field after it is field 3.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS;
}

/** Wall time divided by processor time for a busy loop: 1 on an idle machine. */
function cpuContention(): number {
  const start = performance.now();
  const before = process.cpuUsage();
  const usedMs = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  while (usedMs() < PROBE_MS);
  return Math.max(1, (performance.now() - start) / usedMs());
}

/**
 * Response time minus the time that the process spent waiting for the processor, so that other load on the machine does not
 * count. Time spent sleeping or waiting for another process counts in full.
 */
export async function contentionFreeMs(
  pid: number,
  work: () => Promise<{ ms: number } | undefined>,
): Promise<number> {
  const contentionBefore = cpuContention();
  const cpuBefore = cpuMs(pid);
  const response = await work();
  const cpu = cpuMs(pid) - cpuBefore;
  const contention = (contentionBefore + cpuContention()) / 2;
  return Math.max(0, (response?.ms ?? 0) - cpu * (contention - 1));
}
