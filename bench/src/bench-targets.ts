import type { SeededDatabase } from './databases.ts';
import { withClient } from './postgres-server.ts';
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
