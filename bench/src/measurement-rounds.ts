import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchTarget } from './bench-targets.ts';
import { type CpuTimes, coresUsedBetween, countChildren, readCpuTimes } from './cpu.ts';
import { type Latencies, median, summarizeLatencies } from './load/percentiles.ts';
import { runLoad } from './load/run-load.ts';
import type { Options } from './options.ts';
import { runPgbench, type Script } from './sql/pgbench.ts';

/** Results of one round. `cores` is the average number of busy processors. */
export interface Round {
  perSecond: number;
  latencies?: Latencies;
  cores: CpuTimes;
}

/** Results of all rounds by name, such as "dashboard at 20000" or "dashboard by pgbench". */
export class Rounds {
  readonly #rounds = new Map<string, Round[]>();

  add(name: string, round: Round): void {
    const rounds = this.#rounds.get(name) ?? [];
    rounds.push(round);
    this.#rounds.set(name, rounds);
  }

  median(name: string, pick: (round: Round) => number | undefined): number {
    const values = (this.#rounds.get(name) ?? []).map((round) => pick(round) ?? Number.NaN);
    return median(values);
  }

  /** The highest processor usage by other programs in any measurement, in cores. */
  maxNoise(): number {
    return Math.max(...[...this.#rounds.keys()].map((name) => this.cores(name).others));
  }

  cores(name: string): CpuTimes {
    return {
      api: this.median(name, (round) => round.cores.api),
      postgres: this.median(name, (round) => round.cores.postgres),
      client: this.median(name, (round) => round.cores.client),
      others: this.median(name, (round) => round.cores.others),
    };
  }
}

const WARM_UP_SECONDS = 1;

export async function measureHttp(
  target: BenchTarget,
  postgresPid: number,
  options: Options,
  request: { next: () => string; expectedStatus: number },
): Promise<Round> {
  const { port, pid } = target.api;
  const load = { port, clients: options.clients, ...request };
  // Warm-up: the API reopens idle connections and plans its statements.
  await runLoad({ ...load, seconds: WARM_UP_SECONDS });
  const before = readCpuTimes(pid, postgresPid);
  const { samples, seconds } = await runLoad({ ...load, seconds: options.seconds });
  const cores = coresUsedBetween(before, readCpuTimes(pid, postgresPid), seconds);
  return { perSecond: samples.length / seconds, latencies: summarizeLatencies(samples), cores };
}

export async function measurePgbench(
  target: BenchTarget,
  postgresPid: number,
  options: Options,
  name: string,
  script: Script,
): Promise<Round> {
  const before = readCpuTimes(target.api.pid, postgresPid);
  const backends = countChildren(postgresPid);
  const { perSecond, seconds } = await runPgbench(target.db, name, script, options);
  // The time of a backend that is ending is counted once the main process has collected it.
  for (let wait = 0; wait < 50 && countChildren(postgresPid) > backends; wait += 1) await sleep(20);
  const cores = coresUsedBetween(before, readCpuTimes(target.api.pid, postgresPid), seconds);
  return { perSecond, cores };
}
