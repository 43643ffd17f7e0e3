import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface ProcessStat {
  parent: number;
  ownSeconds: number;
  /** Seconds used by children that have exited. */
  exitedChildSeconds: number;
}

function readStat(pid: number | string): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in brackets and may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const seconds = (from: number) =>
      ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) / TICKS_PER_SECOND;
    return { parent: fields[1] ?? 0, ownSeconds: seconds(11), exitedChildSeconds: seconds(13) };
  } catch {
    return undefined;
  }
}

/** Processor time used so far, in seconds. */
export interface CpuTimes {
  api: number;
  postgres: number;
  /** This process, plus pgbench once it has exited. */
  client: number;
  /** Other processes on this machine; measurements are valid only when this is close to 0. */
  others: number;
}

export function readCpuTimes(apiPid: number, postgresPid: number): CpuTimes {
  const self = readStat('self');
  const main = readStat(postgresPid);
  const api = readStat(apiPid)?.ownSeconds ?? 0;
  const running = readChildren(postgresPid).reduce((sum, { ownSeconds }) => sum + ownSeconds, 0);
  const postgres = (main?.ownSeconds ?? 0) + (main?.exitedChildSeconds ?? 0) + running;
  const client = (self?.ownSeconds ?? 0) + (self?.exitedChildSeconds ?? 0);
  return { api, postgres, client, others: readBusySeconds() - api - postgres - client };
}

export const countChildren = (pid: number): number => readChildren(pid).length;

const readChildren = (pid: number): ProcessStat[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
    .filter((stat) => stat?.parent === pid) as ProcessStat[];

/** Busy time of all processors. The fields in /proc/stat are user, nice, system, idle, iowait, irq, softirq, steal. */
function readBusySeconds(): number {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)
    .join('')
    .split(/ +/)
    .map(Number);
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = ticks;
  return (user + nice + system + interrupts + soft + stolen) / TICKS_PER_SECOND;
}

/** Processor usage in cores: 1 is one fully used processor. */
export function coresUsedBetween(before: CpuTimes, after: CpuTimes, seconds: number): CpuTimes {
  return {
    api: (after.api - before.api) / seconds,
    postgres: (after.postgres - before.postgres) / seconds,
    client: (after.client - before.client) / seconds,
    others: (after.others - before.others) / seconds,
  };
}
