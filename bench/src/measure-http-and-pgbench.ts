import { type CpuTimes, coresBetween, readCpuTimes } from './cpu.ts';
import type { SeededDatabase } from './databases.ts';
import { type Latencies, median, summarizeLatencies } from './load/percentiles.ts';
import { runLoad } from './load/run-load.ts';
import type { Options } from './options.ts';
import { withClient } from './postgres-server.ts';
import { runPgbench, type Script } from './sql/pgbench.ts';
import { type Api, startApi } from './start-api.ts';

/** A seeded database and an API process that uses it. */
export interface BenchTarget {
  db: SeededDatabase;
  api: Api;
}

export async function startTargets(dbs: readonly SeededDatabase[]): Promise<BenchTarget[]> {
  const targets: BenchTarget[] = [];
  for (const db of dbs) targets.push({ db, api: await startApi(db) });
  return targets;
}

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
  const cores = coresBetween(before, readCpuTimes(pid, postgresPid), seconds);
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
  const { perSecond, seconds } = await runPgbench(target.db, name, script, options);
  const cores = coresBetween(before, readCpuTimes(target.api.pid, postgresPid), seconds);
  return { perSecond, cores };
}

const GOAL_SIZE = 2_000_000;

/** The throughput goal applies to two million sessions; if no database has that size, the largest one is used. */
export const throughputTarget = (targets: readonly BenchTarget[]): BenchTarget =>
  targets.find(({ db }) => db.sessions === GOAL_SIZE) ?? (targets.at(-1) as BenchTarget);

/** Returns, for example, "20,000 sessions 0.02 GB, …". */
export async function describeSizes(targets: readonly BenchTarget[]): Promise<string> {
  const sizes = await Promise.all(
    targets.map(({ db }) =>
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
