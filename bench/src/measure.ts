import { type Api, startApi } from './api.ts';
import { type CpuTimes, coresBetween, cpuTimes } from './cpu.ts';
import type { SeededDatabase } from './databases.ts';
import { type Latencies, median, summarizeLatencies } from './load/percentiles.ts';
import { runLoad } from './load/run-load.ts';
import type { Options } from './options.ts';
import { withClient } from './postgres-server.ts';
import { runPgbench, type Script } from './sql/pgbench.ts';

/** A database with an API in front. */
export interface BenchTarget {
  db: SeededDatabase;
  api: Api;
}

export async function startTargets(dbs: readonly SeededDatabase[]): Promise<BenchTarget[]> {
  const served: BenchTarget[] = [];
  for (const db of dbs) served.push({ db, api: await startApi(db) });
  return served;
}

/** What one round measured. Cores are processors that were busy, on average. */
export interface Round {
  perSecond: number;
  latencies?: Latencies;
  cores: CpuTimes;
}

/** Figures of all rounds by what was measured: "dashboard at 20000", "dashboard by pgbench". */
export class Rounds {
  readonly #rounds = new Map<string, Round[]>();

  add(what: string, round: Round): void {
    const rounds = this.#rounds.get(what) ?? [];
    rounds.push(round);
    this.#rounds.set(what, rounds);
  }

  median(what: string, pick: (round: Round) => number | undefined): number {
    const values = (this.#rounds.get(what) ?? []).map((round) => pick(round) ?? Number.NaN);
    return median(values);
  }

  /** The most that other programs took from anything that was measured, in cores. */
  maxNoise(): number {
    return Math.max(...[...this.#rounds.keys()].map((what) => this.cores(what).others));
  }

  cores(what: string): CpuTimes {
    return {
      api: this.median(what, (round) => round.cores.api),
      postgres: this.median(what, (round) => round.cores.postgres),
      client: this.median(what, (round) => round.cores.client),
      others: this.median(what, (round) => round.cores.others),
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
  // Connections that the API had let go are opened again, and the statements planned.
  await runLoad({ ...load, seconds: WARM_UP_SECONDS });
  const before = cpuTimes(pid, postgresPid);
  const { samples, seconds } = await runLoad({ ...load, seconds: options.seconds });
  const cores = coresBetween(before, cpuTimes(pid, postgresPid), seconds);
  return { perSecond: samples.length / seconds, latencies: summarizeLatencies(samples), cores };
}

export async function measurePgbench(
  target: BenchTarget,
  postgresPid: number,
  options: Options,
  name: string,
  script: Script,
): Promise<Round> {
  const before = cpuTimes(target.api.pid, postgresPid);
  const { perSecond, seconds } = await runPgbench(target.db, name, script, options);
  const cores = coresBetween(before, cpuTimes(target.api.pid, postgresPid), seconds);
  return { perSecond, cores };
}

const GOAL_SIZE = 2_000_000;

/** Throughput is promised at two million sessions; without such a database the largest one stands in. */
export const throughputTarget = (served: readonly BenchTarget[]): BenchTarget =>
  served.find(({ db }) => db.sessions === GOAL_SIZE) ?? (served.at(-1) as BenchTarget);

/** "20,000 sessions 0.02 GB, …" */
export async function describeSizes(served: readonly BenchTarget[]): Promise<string> {
  const sizes = await Promise.all(
    served.map(({ db }) =>
      withClient(db.urls.maintenanceUrl, async (client) => {
        const { rows } = await client.query<{ bytes: string }>(
          'select pg_database_size(current_database()) as bytes',
        );
        const gigabytes = (Number(rows[0]?.bytes) / 2 ** 30).toFixed(2);
        return `${db.sessions.toLocaleString('en-GB')} sessions ${gigabytes} GB`;
      }),
    ),
  );
  return sizes.join(', ');
}
